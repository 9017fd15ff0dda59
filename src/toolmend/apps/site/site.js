// The pages work without this. With it a form is answered where it stands, and what happens later comes by itself:
// lines of JSON, {"id of an element": "its new inside"}, from main's data-live while data-busy is there.
const main = document.querySelector("main");
const note = document.getElementById("note");
const editable = "input[id]:not([type=hidden]), textarea[id]";
let watching = null;

function put(parts) {
  for (const [id, html] of Object.entries(parts)) {
    const place = document.getElementById(id);
    if (!place) continue;
    const open = Array.from(place.querySelectorAll("details[open][id]"), (fold) => fold.id);
    const changed = (box) => box.value !== box.defaultValue || box.checked !== box.defaultChecked;
    const typed = Array.from(place.querySelectorAll(editable)).filter(changed);
    const focused = place.contains(document.activeElement) ? document.activeElement.id : null;
    place.innerHTML = html;
    for (const fold of open) document.getElementById(fold)?.setAttribute("open", "");
    for (const { id, value, checked } of typed) {
      const box = document.getElementById(id);
      if (box) [box.value, box.checked] = [value, checked];
    }
    if (focused !== null) (document.getElementById(focused || id) ?? place).focus({ preventScroll: true });
    const log = place.closest(".talk");
    if (log) log.scrollTop = log.scrollHeight;
  }
}

// The answer to a form may come later than what it set going was told: whoever watches begins anew, with all there is.
async function watch() {
  watching?.abort();
  const mine = (watching = new AbortController());
  try {
    const answer = await fetch(main.dataset.live, { signal: mine.signal });
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = "", piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (rest + piece.value).split("\n");
      rest = lines.pop();
      lines.forEach((line) => put(JSON.parse(line)));
    }
  } catch (error) {
    if (!mine.signal.aborted) throw error;
  }
}

async function send(form, pressed) {
  const answer = await fetch(form.action, {
    method: "POST",
    headers: { "x-parts": "1" },
    body: new URLSearchParams(new FormData(form, pressed)),
  });
  const told = await answer.json();
  if (note) note.textContent = told.wrong ?? "";
  if (told.wrong !== undefined) return;
  if (form.dataset.clears !== undefined) form.reset();
  put(told);
  await watch();
}

document.addEventListener("submit", (event) => {
  if (event.target.method !== "post" || !main.dataset.live) return;
  event.preventDefault();
  send(event.target, event.submitter).catch(() => (note.textContent = "The arena does not answer: is it still running?"));
});

// Enter sends, Shift+Enter is a new line; Alt and a digit goes to a side; outside of boxes one letter is one button.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.isComposing) return;
  const box = event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select");
  const named = CSS.escape(event.key.toLowerCase());
  if (event.altKey) {
    const there = document.querySelector(`[data-alt="${named}"]`);
    if (!there) return;
    there.focus();
  } else if (event.key === "Escape" && box) box.blur();
  else if (event.key === "Enter" && !event.shiftKey && box?.matches("textarea.say")) box.form.requestSubmit(box.form.querySelector("button"));
  else if (!box && event.key === "/") document.querySelector(".say")?.focus();
  else if (!box && !event.repeat) {
    const button = document.querySelector(`[data-key="${named}"]`);
    if (!button) return;
    button.click();
  } else return;
  event.preventDefault();
});

// An example is put into the box: sending it is for the person to do.
document.addEventListener("click", (event) => {
  const example = event.target.closest("button[data-example]");
  const box = example && document.querySelector("textarea.say");
  if (!box) return;
  box.value = example.dataset.example;
  box.focus();
});

for (const log of document.querySelectorAll(".talk")) log.scrollTop = log.scrollHeight;
if (main.dataset.busy !== undefined) watch();
