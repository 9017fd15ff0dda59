// The keys of the pages, where no text box has the focus: one letter is one button; Alt and a letter works everywhere.
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, select, [role=listbox]");
  const key = event.key.toLowerCase();
  if (key === "escape" && typing) event.target.blur();
  else if (event.altKey && !event.ctrlKey && !event.metaKey) {
    const to = { l: "Left", r: "Right", b: "Both" }[key];
    const side = { 1: "left", 2: "right" }[key];
    const radio = to && document.querySelector(`#to input[value="${to}"]`);
    const box = side && document.querySelector(`#${side}-talk .question .yes, #${side}-talk form[data-do=correct] input`);
    if (radio) radio.click();
    else if (box) box.focus();
    else return;
    event.preventDefault();
  } else if (!typing && !event.altKey && !event.ctrlKey && !event.metaKey) {
    if (key === "/") {
      document.querySelector("#said textarea")?.focus();
      event.preventDefault();
      return;
    }
    const button = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (button && !event.repeat) {
      button.click();
      event.preventDefault();
    }
  }
});
