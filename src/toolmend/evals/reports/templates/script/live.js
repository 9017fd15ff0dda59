// In `toolmend view`, while a run goes on: what has come since is shown at the same place, but not over what is read.

const going = document.body.dataset.state;
async function renew() {
  const answer = await fetch(`${location.pathname}/state`);
  if (!answer.ok || (await answer.text()) === going) return setTimeout(renew, 2000);
  if (!dialog.open) return location.reload();
  const more = el("a", "", "More has come: show it");
  more.href = location.href;
  more.addEventListener("click", () => location.reload());
  $("count").prepend(more, " ");
}
if (going?.startsWith("open")) setTimeout(renew, Math.max(2000, 10 * performance.now()));
