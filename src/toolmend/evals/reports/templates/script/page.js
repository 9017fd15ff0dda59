// Ways around: addresses, keys, buttons.
//   #show=fix_at_1&who=0&kind=…&outcome=…&case=…&mark=…&mistake=…&text=…     a list
//   #sample=KEY&turn=2                                                       a conversation

function go(view) {
  location.hash = hash(view ?? { show: "all" });
}

function step(by) {
  const next = state.found[(state.open ?? -1) + by];
  if (!next) return;
  history.replaceState(null, "", hash({ sample: keyOf(next[0]), turn: next[1] }));
  route();
}

async function route() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (!asked.has("show") && !asked.has("sample")) return dialog.open && dialog.close();
  if (!dialog.open) dialog.showModal();
  try {
    await load();
    await (asked.has("show") ? openList(asked) : openTalk(asked));
  } catch (error) {
    dialog.classList.add("reading");
    article.replaceChildren(ways(), el("p", "bad", error.message));
  }
}

async function openList(asked) {
  state.open = null;
  dialog.classList.remove("reading");
  article.replaceChildren(el("p", "meta", "Choose a conversation: Enter opens it, ↑ ↓ move, Esc closes."));
  await showList({ show: "all", ...Object.fromEntries(asked) });
  const first = entries.querySelector("a") ?? $("browser-title");
  if (!filters.contains(document.activeElement)) first.focus({ preventScroll: true });
}

async function openTalk(asked) {
  if (state.view === null) await showList({ show: "all" });
  const i = byKey().get(asked.get("sample"));
  if (i === undefined) throw new Error(`This file holds no conversation ${asked.get("sample")}.`);
  await showTalk(i, asked.has("turn") ? Number(asked.get("turn")) : null);
}

function turnPage(by) {
  state.page += by;
  drawPage();
}

let typing;
filters.addEventListener("input", (event) => {
  clearTimeout(typing);
  const wait = event.target.tagName === "INPUT" ? 200 : 0;
  typing = setTimeout(() => {
    const view = { ...state.view };
    for (const name of FILTERS) view[name] = filters[name].value;
    history.replaceState(null, "", hash(view));
    showList(view);
  }, wait);
});
filters.addEventListener("submit", (event) => event.preventDefault());
$("before").addEventListener("click", () => turnPage(-1));
$("after").addEventListener("click", () => turnPage(1));
$("close").addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => {
  if (location.hash) history.pushState(null, "", location.pathname + location.search);
  state.view = null;
  state.open = null;
});

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (!dialog.open || event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT/.test(target.tagName)) return;
  const item = target.closest?.("#entries li");
  if (item && key === "ArrowDown") item.nextElementSibling?.firstElementChild.focus();
  else if (item && key === "ArrowUp") item.previousElementSibling?.firstElementChild.focus();
  else if (key === "j" || key === "k") return step(key === "j" ? 1 : -1);
  else if (key === "/") filters.text.focus();
  else return;
  event.preventDefault();
});

window.addEventListener("hashchange", route);
if (!location.hash && document.body.dataset.opened) history.replaceState(null, "", document.body.dataset.opened);
route();
performance.mark("report ready");
document.documentElement.dataset.ready = String(Math.round(performance.now())); // benchmarks/html_report.py reads it
