// Keyboard shortcuts for pages of signed-in people. Each page works without them.

const places = {
  h: "/",
  a: "/assets",
  t: "/tasks",
  p: "/plan",
  r: "/reports",
  w: "/workspaces",
  s: "/settings",
};
const helpAddress = "/settings/keyboard";
const typing =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog";
const isOff = () => localStorage.getItem("keyboard") === "off";

let isGoing = false;
addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isOff() || target.closest?.(typing)) return;
  const place = isGoing ? places[key] : undefined;
  isGoing = key === "g";
  const act = place === undefined ? acts[key] : () => location.assign(place);
  if (act === undefined) return;
  event.preventDefault();
  act();
});

const acts = {
  "/": () => {
    const search = document.querySelector("form.finding input");
    if (search?.checkVisibility()) search.focus();
    else location.assign("/search");
  },
  c: () => {
    const [, asset] = /^\/assets\/(ast_\w+)/.exec(location.pathname) ?? [];
    location.assign(asset === undefined ? "/tasks/quick" : `/tasks/quick?asset=${asset}`);
  },
  j: () => move(1),
  k: () => move(-1),
  x: () => rowOf(document.activeElement)?.querySelector(".pick input")?.click(),
  "?": showHelp,
};

const rowOf = (element) => element?.closest(".list tbody tr, .rows > li");

/** Moves the focus to the first link of the next or previous row. */
function move(step) {
  const rows = [...document.querySelectorAll(".list tbody tr, .rows > li")];
  const at = rows.indexOf(rowOf(document.activeElement));
  const next = rows[at === -1 && step < 0 ? rows.length - 1 : at + step];
  next?.querySelector("a[href]")?.focus();
}

/** Shows the help page's list in a dialog. */
async function showHelp() {
  const answer = await fetch(helpAddress).catch(() => {});
  if (!answer?.ok) return location.assign(helpAddress);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const dialog = Object.assign(document.createElement("dialog"), { className: "keyboard" });
  dialog.append(page.querySelector("h1"), page.querySelector("#keyboard"));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  const close = dialog.querySelector("button.close");
  close.hidden = false;
  close.addEventListener("click", () => dialog.close());
  document.body.append(dialog);
  addSwitch();
  dialog.showModal();
}

/** Turns shortcuts on or off in this browser. */
function addSwitch() {
  const choice = document.querySelector("#keyboard .choice");
  if (choice === null) return;
  choice.hidden = false;
  const box = choice.querySelector("input");
  box.checked = !isOff();
  box.addEventListener("change", () => {
    localStorage.setItem("keyboard", box.checked ? "on" : "off");
  });
}

addSwitch();
