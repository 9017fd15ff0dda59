// Runs inside a talk: tells the server what was pressed, keeps folds open, the newest in sight and the focus where it was.
// `element`, `trigger` and `watch` are Gradio's.
const opened = new Set();
const tell = (source, form) => {
  const told = { ...source.dataset };
  if (form) for (const [name, value] of new FormData(form)) told[name] = value;
  trigger("submit", told);
};
element.addEventListener("click", (event) => {
  const pressed = event.target.closest("button[data-do]");
  if (pressed) tell(pressed, pressed.form);
});
element.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!event.target.querySelector("[type=submit]")) return;
  tell(event.target, event.target);
  event.target.reset();
});
element.addEventListener("keydown", (event) => {
  const form = event.target.closest("form");
  if (form && event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
element.addEventListener("toggle", (event) => {
  const fold = event.target.dataset.fold;
  if (fold) event.target.open ? opened.add(fold) : opened.delete(fold);
}, true);
const scroller = element.closest(".block.talk") || element;
let turns = 0;
const atTheEnd = () => {
  const now = element.querySelectorAll(".turn, .question").length;
  if (now !== turns) scroller.scrollTop = scroller.scrollHeight;
  turns = now;
};
watch("value", () => {
  for (const fold of element.querySelectorAll("details[data-fold]")) fold.open = opened.has(fold.dataset.fold);
  atTheEnd();
  if (document.activeElement === document.body && element.dataset.had) element.focus({ preventScroll: true });
});
element.addEventListener("focusin", () => { element.dataset.had = "1"; });
element.addEventListener("focusout", (event) => { if (event.relatedTarget) delete element.dataset.had; });
if (scroller !== element) element.tabIndex = -1;
atTheEnd();
