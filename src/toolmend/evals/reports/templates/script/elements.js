// Elements and their words. What others wrote goes in as text, never as markup, its control characters shown.

const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
const printable = (text) => String(text).replace(CONTROL, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);

function el(tag, cls, ...inside) {
  const made = document.createElement(tag);
  if (cls) made.className = cls;
  for (const each of inside) {
    if (each !== null && each !== "") made.append(typeof each === "object" ? each : printable(each));
  }
  return made;
}

function foreign(tag, cls, text) {
  const made = el(tag, cls, text);
  made.dir = "auto";
  return made;
}

function button(label, about, act, cls = "") {
  const made = el("button", cls, label);
  made.type = "button";
  made.title = about;
  made.setAttribute("aria-label", about);
  made.addEventListener("click", act);
  return made;
}

function option(value, label) {
  const made = el("option", "", label);
  made.value = String(value);
  return made;
}

const number = (n) => n.toLocaleString("en");
const counted = (n, noun) => `${number(n)} ${noun}${n === 1 ? "" : "s"}`;
const nameOf = (who) => index.names[who];
const caseOf = (i) => index.cases[index.rows.case[i]];
const glyphs = (marks) => marks.map((mark) => index.marks[mark]).join(" ").replaceAll("🔥 🔥", "🔥🔥");

function hash(view) {
  return "#" + new URLSearchParams(Object.entries(view).filter(([, value]) => value !== "" && value !== null));
}
