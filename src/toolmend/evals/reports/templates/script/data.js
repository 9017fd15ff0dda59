// What the page holds: conversations and their index, gzip in base64, unpacked when somebody looks.

const $ = (id) => document.getElementById(id);
const LETTERS = { c: "correct", m: "mistake", g: "garbage", f: "fixed", r: "recurring", x: "regressed" };
const OLD = "This browser cannot unpack the conversations (no DecompressionStream); any of 2023 or later can.";
let index = null;

async function unpack(node) {
  if (!("DecompressionStream" in window)) throw new Error(OLD);
  const text = atob(node.textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function once(make) {
  let made;
  return () => (made ??= make());
}

const blocks = Array.from(document.querySelectorAll("script.block"), (node) => once(() => unpack(node)));
const talkOf = async (i) => (await blocks[Math.floor(i / index.block)]())[i % index.block];

const load = once(async () => {
  index = await unpack($("index"));
  const { rows, cases } = index;
  const rank = [];
  [...cases.keys()].sort((a, b) => (cases[a] < cases[b] ? -1 : 1)).forEach((n, place) => (rank[n] = place));
  const place = (i) => [rank[rows.case[i]], rows.attempt[i], rows.who[i]];
  index.order = [...rows.case.keys()].sort((a, b) => {
    const [one, other] = [place(a), place(b)];
    return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
  });
  fillFilters();
});

// The key of a sample in its run: store/values.py has the same.
function keyOf(i) {
  const { rows, cases, who, arms } = index;
  const parts = [cases[rows.case[i]], ...who[rows.who[i]], rows.attempt[i], arms[rows.arm[i]]];
  return parts.map((part) => String(part).replace(/[\\|]/g, "\\$&")).join("|");
}

const byKey = once(() => new Map(index.order.map((i) => [keyOf(i), i])));

// -- which conversations: lists of [sample, turn, outcome], turn and outcome null where the samples themselves count

function piecesOf(view) {
  const wanted = new Map();
  index.counted.forEach(([facet, kind, outcome], n) => {
    if (facet === view.show && (!view.kind || kind === view.kind)) wanted.set(n, outcome);
  });
  const found = [];
  for (const i of index.order) {
    const own = index.rows.pieces[i];
    for (let at = 0; at < own.length; at += 2) {
      if (wanted.has(own[at + 1])) found.push([i, own[at], wanted.get(own[at + 1])]);
    }
  }
  return found;
}

function candidates(view) {
  if (index.facets[view.show]) return piecesOf(view);
  const some = index.order.filter((i) => view.show !== "error" || index.rows.error[i]);
  return some.map((i) => [i, null, null]);
}

// `tell` hears how far a search through the words is; it answers whether to go on.
async function select(view, tell) {
  const { rows, mistakes, cases } = index;
  const part = (view.case ?? "").toLowerCase();
  const letter = Object.keys(LETTERS).find((each) => LETTERS[each] === view.mark);
  const fits = (name) => name === view.mistake || name.startsWith(`${view.mistake}(`);
  const kinds = new Set([...mistakes.keys()].filter((n) => fits(mistakes[n])));
  const kept = candidates(view).filter(
    ([i, , outcome]) =>
      (!view.who || rows.who[i] === Number(view.who)) &&
      (!view.outcome || outcome === Number(view.outcome)) &&
      (!part || cases[rows.case[i]].toLowerCase().includes(part)) &&
      (!letter || rows.marks[i].includes(letter)) &&
      (!view.mistake || rows.mistakes[i].some((n) => kinds.has(n))),
  );
  return view.text ? containing(kept, view.text.toLowerCase(), tell) : kept;
}

async function containing(kept, text, tell) {
  const found = [];
  for (const [n, entry] of kept.entries()) {
    if (n % 500 === 0 && !tell(n / kept.length)) break;
    if ((await words(entry[0])).includes(text)) found.push(entry);
  }
  return found;
}

const spoken = once(() => index.rows.case.map(() => null));

async function words(i) {
  const kept = spoken();
  if (kept[i] === null) {
    const first = i - (i % index.block);
    (await blocks[first / index.block]()).forEach((talk, n) => (kept[first + n] = wordsOf(talk).toLowerCase()));
  }
  return kept[i];
}

// talk.py has the same.
function wordsOf(talk) {
  const texts = talk.turns.flatMap((turn) => [
    ...turn.lines.flatMap((line) => [line[1], line[2]?.reasoning ?? ""]),
    ...(turn.tried ?? []).flatMap((tried) => [tried.said, tried.text]),
    ...(turn.mistakes ?? []).flat(),
  ]);
  return [talk.error, ...texts].filter(Boolean).join("\n");
}
