// The days of a town, slot by slot: dots on a map, lines below. What was said is set as text, never as markup.
const towns = JSON.parse(document.getElementById("data").textContent);
const by = (id) => document.getElementById(id);
const drawn = (name, about, text = "") => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(about)) node.setAttribute(key, value);
  node.textContent = text;
  return node;
};
let town, lives, timer;

function enter() {
  town = towns[by("which").value];
  const map = by("map");
  map.replaceChildren();
  for (const [name, [x, y]] of Object.entries(town.places)) {
    map.append(drawn("rect", { x: x - 7, y: y - 4, width: 14, height: 13, rx: 1 }), drawn("text", { x, y: y - 4.6 }, name));
  }
  lives = town.names.map((name) => {
    const life = drawn("g", { class: "life" });
    life.append(drawn("circle", { r: 0.9 }), drawn("text", { y: 2.6 }, name));
    map.append(life);
    return life;
  });
  show();
}

function show() {
  const slot = town.slots[by("slot").value];
  const full = {};
  by("time").textContent = slot.time;
  by("known").textContent = `${slot.informed.length} of ${lives.length} know of the party`;
  lives.forEach((life, number) => {
    const place = slot.at[number], [x, y] = town.places[place], seat = (full[place] = (full[place] ?? -1) + 1);
    life.style.transform = `translate(${x - 4.6 + 4.6 * (seat % 3)}px, ${y - 2.4 + 4.2 * Math.floor(seat / 3)}px)`;
    life.classList.toggle("informed", slot.informed.includes(number));
  });
  by("said").replaceChildren(...slot.lines.map((line) => {
    const item = document.createElement("li");
    item.textContent = `${town.names[line.from]} to ${town.names[line.to]}: ${line.text}`;
    item.classList.toggle("news", line.news);
    return item;
  }));
}

function stop() {
  clearInterval(timer);
  timer = undefined;
  by("play").textContent = "Play";
}

by("which").addEventListener("change", enter);
by("slot").addEventListener("input", show);
by("play").addEventListener("click", () => {
  if (timer) return stop();
  by("play").textContent = "Stop";
  timer = setInterval(() => {
    const slot = by("slot");
    if (+slot.value >= +slot.max) return stop();
    slot.value = +slot.value + 1;
    show();
  }, 700);
});
enter();
