// One conversation: what was said, replied, done and undone, found wrong, and what else was tried.

const article = $("talk");
const HAPPENED = {
  undone: "undone: ",
  redone: "nothing callable came back; stands again: ",
  ran: "ran: ",
  error: "tool error: ",
  read: "read ",
  note: "",
};

async function showTalk(i, turn) {
  const token = ++state.token;
  markPlace(i, turn);
  const talk = await talkOf(i);
  if (token !== state.token) return;
  article.replaceChildren(
    el("header", "", el("div", "bar", foreign("h2", "", caseOf(i)), ways())),
    el("p", "meta", aboutOf(i, talk)),
    ...(talk.error ? [foreign("p", "bad", `Could not be run: ${talk.error}`)] : []),
    ...talk.turns.map((each) => turnOf(each, each.turn === turn)),
    ...(talk.end ? [el("p", "meta", `ended: ${talk.end.replaceAll("_", " ")}${talk.why ? ` (${talk.why})` : ""}`)] : []),
  );
  article.scrollTop = 0;
  if (talk.turns.length > 2) article.querySelector(".here")?.scrollIntoView({ block: "start" });
  dialog.classList.add("reading");
  if (!entries.contains(document.activeElement) || entries.offsetParent === null) article.focus({ preventScroll: true });
}

// Where it stands in the list, so that the next and the one before can be found.
function markPlace(i, turn) {
  const at = state.found.findIndex((each) => each[0] === i && (turn === null || each[1] === null || each[1] === turn));
  state.open = at < 0 ? null : at;
  if (at >= 0 && Math.floor(at / PAGE) !== state.page) {
    state.page = Math.floor(at / PAGE);
    drawPage();
  }
  markOpen();
}

function aboutOf(i, talk) {
  const { rows } = index;
  const about = [nameOf(rows.who[i]), `attempt ${rows.attempt[i] + 1}`];
  if (talk.seed !== undefined) about.push(`seed ${talk.seed}`);
  if (talk.started) about.push(talk.started.slice(0, 19).replace("T", " "));
  if (talk.seconds) about.push(`${talk.seconds} s`);
  return about.join(" · ");
}

function ways() {
  return el(
    "nav",
    "",
    button("‹ list", "back to the list", () => go(state.view), "back"),
    button("↑", "previous (k)", () => step(-1)),
    button("↓", "next (j)", () => step(1)),
  );
}

function turnOf(turn, here) {
  const head = [`turn ${turn.turn + 1}`];
  if (turn.level !== undefined) head.push(`correction of level ${turn.level}`);
  if (turn.named) head.push(`about ${turn.named}`);
  if (turn.amends !== undefined) head.push(`amends turn ${turn.amends + 1}`);
  const made = el("section", here ? "turn here" : "turn", el("h3", "", head.join(" · ")), ...turn.lines.flatMap(lineOf));
  if (turn.marks) made.append(verdict(turn));
  if (turn.tried) made.append(branches(turn.tried, here));
  return made;
}

function lineOf([kind, text, about]) {
  if (kind === "said") return [foreign("p", "said", text)];
  if (kind === "reply") return replyOf(text, about);
  return [foreign("p", kind === "error" ? "happened bad" : "happened", HAPPENED[kind] + text)];
}

function replyOf(text, { by, role, tokens, seconds, notes, exchange, reasoning }) {
  const told = [by === "given" ? "given by the suite" : role];
  if (tokens) told.push(`${tokens[0]} tokens in, ${tokens[1]} out`);
  if (seconds) told.push(`${seconds} s`);
  told.push(...(notes ?? []));
  if (exchange) told.push(`raw: toolmend show --exchange ${exchange}`);
  const made = [foreign("pre", "reply", text || "(nothing)"), el("p", "happened", told.filter(Boolean).join(" · "))];
  if (reasoning) made.unshift(el("details", "", el("summary", "", "reasoning"), foreign("pre", "", reasoning)));
  return made;
}

function verdict({ marks, mistakes }) {
  const made = el("div", "verdict", `${glyphs(marks)}  ${marks.join(", ")}`);
  if (mistakes) made.append(el("ul", "", ...mistakes.map(mistakeOf)));
  return made;
}

function mistakeOf([kind, expected, got]) {
  const parts = [];
  if (expected !== null) parts.push(`should be ${expected}`);
  if (got !== null) parts.push(`is ${got}`);
  return foreign("li", "", parts.length ? `${kind}: ${parts.join(", ")}` : kind);
}

function branches(tried, here) {
  const told = tried.map((each) => `${each.arm} ${glyphs(each.marks)}`).join(" · ");
  const made = el("details", "", el("summary", "", `Also said to this reply, and undone: ${told}`));
  made.open = here && /^(level|regress|net)/.test(state.view?.show ?? "");
  for (const each of tried) {
    const said = foreign("p", "said", each.said);
    const reply = foreign("pre", "reply", each.text || "(nothing)");
    made.append(el("div", "tried", el("h3", "", each.arm), said, reply, verdict(each)));
  }
  return made;
}
