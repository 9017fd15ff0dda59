// The list of the conversations behind a figure, a page of a hundred at a time, and its filters.

const PAGE = 100;
const FILTERS = ["who", "outcome", "mark", "mistake", "case", "text"];
const dialog = $("browser");
const filters = $("filters");
const entries = $("entries");
const state = { view: null, found: [], page: 0, open: null, token: 0 };

function fillFilters() {
  const fill = (name, all, options) => filters[name].replaceChildren(option("", all), ...options);
  const kinds = new Set(index.mistakes.flatMap((name) => [name.split("(")[0], name]));
  fill("who", "every contestant", index.names.map((name, n) => option(n, name)));
  fill("mark", "every mark", Object.entries(index.marks).map(([mark, glyph]) => option(mark, `${glyph} ${mark}`)));
  fill("mistake", "every mistake", [...kinds].sort().map((name) => option(name, name)));
}

const outcomesOf = (view) => index.facets[view.show]?.outcomes ?? [""];

function titleOf(view) {
  const other = view.show === "error" ? "Could not be run" : "Conversations";
  const what = index.facets[view.show]?.title ?? other;
  return view.kind ? `${what}: ${view.kind}` : what;
}

async function showList(view) {
  const token = ++state.token;
  const outcomes = outcomesOf(view);
  state.view = view;
  filters.outcome.replaceChildren(option("", "every outcome"), ...outcomes.map((word, n) => option(n, word)));
  filters.outcome.hidden = outcomes.length < 2;
  for (const name of FILTERS) {
    if (filters[name] !== document.activeElement) filters[name].value = view[name] ?? "";
  }
  $("browser-title").textContent = printable(titleOf(view));
  const found = await select(view, (share) => {
    if (token === state.token) $("count").textContent = `Searching … ${Math.round(100 * share)} %`;
    return token === state.token;
  });
  if (token !== state.token) return;
  state.found = found;
  state.page = 0;
  $("count").textContent = summary(found, outcomes);
  drawPage();
}

function summary(found, outcomes) {
  const samples = counted(new Set(found.map(([i]) => i)).size, "conversation");
  if (outcomes.length < 2) {
    return found.some(([, turn]) => turn !== null) ? `${counted(found.length, "time")} in ${samples}` : samples;
  }
  const each = outcomes.map((word, n) => `${number(found.filter((entry) => entry[2] === n).length)} ${word}`);
  return `${counted(found.length, "time")} in ${samples}: ${each.reverse().join(", ")}`;
}

function drawPage() {
  const first = state.page * PAGE;
  const shown = state.found.slice(first, first + PAGE);
  entries.replaceChildren(...shown.map((entry, n) => row(entry, first + n)));
  entries.scrollTop = 0;
  const range = `${number(first + 1)}–${number(first + shown.length)} of ${number(state.found.length)}`;
  $("page").textContent = shown.length ? range : "none";
  $("before").disabled = first === 0;
  $("after").disabled = first + PAGE >= state.found.length;
  markOpen();
}

function row([i, turn, outcome], at) {
  const { rows } = index;
  const told = rows.marks[i].split(" ").map((each) => glyphs([...each].map((letter) => LETTERS[letter])));
  const where = [nameOf(rows.who[i]), `attempt ${rows.attempt[i] + 1}`];
  if (turn !== null) where.push(`turn ${turn + 1}`);
  const word = outcome === null ? "" : outcomesOf(state.view)[outcome];
  const link = el(
    "a",
    "",
    foreign("span", "", caseOf(i)),
    el("span", "glyphs", told.join(" ").trim()),
    el("small", "", where.join(" · ")),
    el("small", "outcome", rows.error[i] ? "not run" : word),
  );
  link.href = hash({ sample: keyOf(i), turn });
  link.dataset.at = at;
  return el("li", "", link);
}

function markOpen() {
  for (const link of entries.querySelectorAll("a")) {
    if (Number(link.dataset.at) === state.open) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}
