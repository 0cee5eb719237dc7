// Moves tasks of the plan to other days and people: by drag and drop, or by the arrow keys on a
// selected card. Each move sends the plan's form, which has the same rules without this script.

/** In the page's language. */
const words = document.querySelector("script[data-hint]").dataset;
const hint = Object.assign(document.createElement("p"), {
  id: "plan-hint",
  className: "help plan-hint no-print",
  textContent: words.hint,
});
const live = Object.assign(document.createElement("p"), { className: "visually-hidden" });
live.setAttribute("aria-live", "polite");
document.body.append(live);

const findAll = (selector) => [...document.querySelectorAll(selector)];
const findForm = () => document.querySelector(".plan-form");
const cardOf = (element) => element.closest?.(".plan-card");
const findSelected = () => findAll(".plan-form input[name=ids]:checked").map(cardOf);

/** Prepares a page that was just loaded or replaced. */
function prepare() {
  document.querySelector(".plan-board")?.before(hint);
  for (const box of findAll(".plan-card input[name=ids]")) {
    box.setAttribute("aria-describedby", hint.id);
    cardOf(box).draggable = true;
    // Otherwise the browser drags the link's address.
    cardOf(box).querySelector("a").draggable = false;
  }
  // The bar of the page shows how many cards are selected.
  dispatchEvent(new Event("change"));
}

/** Sends the form and shows the page that answers in place, so the view stays where it is. */
async function send(fields, focused) {
  const action = findForm().getAttribute("action");
  const answer = await fetch(action, { method: "POST", body: new URLSearchParams(fields) }).catch(
    () => {},
  );
  if (answer === undefined) {
    live.textContent = words.failed;
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const content = page.querySelector("#content");
  if (content === null) return location.reload();
  document.querySelector("#content").replaceWith(content);
  prepare();
  const error = document.querySelector("[role=alert]");
  const card = document.getElementById(focused);
  (error ?? card?.querySelector("input, a"))?.focus();
  error?.scrollIntoView({ block: "center" });
  live.textContent = document.querySelector("#content > .message")?.textContent ?? "";
}

/** `place` has a day, a person, or both. */
async function move(cards, { day, person }) {
  const isNew = ({ dataset }) =>
    (day !== undefined && dataset.day !== day) ||
    (person !== undefined && dataset.person !== person);
  if (!cards.some(isNew)) return;
  const fields = new FormData(findForm());
  fields.delete("ids");
  for (const { id } of cards) fields.append("ids", id);
  fields.set("due_date", day ?? "");
  fields.set("assigned_to_user_id", person ?? "");
  await send(fields, cards[0].id);
}

/** The day and person under a pointer: a day of the board, or a cell of the load. */
function toPlace(element) {
  const row = element.closest?.(".plan-load tr[data-person]");
  const { day } = element.closest?.("td[data-day], .plan-day[data-day]")?.dataset ?? {};
  return row ? { day, person: row.dataset.person } : day === undefined ? undefined : { day };
}

function findTargets({ day, person }) {
  const row = `.plan-load tr[data-person="${person}"]`;
  if (person === undefined) return findAll(`.plan-day[data-day="${day}"]`);
  if (day === undefined) return findAll(row);
  return findAll(`${row} td[data-day="${day}"], .plan-day[data-day="${day}"]`);
}

function mark(place) {
  for (const element of findAll(".plan-target")) element.classList.remove("plan-target");
  if (place) for (const element of findTargets(place)) element.classList.add("plan-target");
}

function setMoving(isMoving) {
  document.body.classList.toggle("plan-moving", isMoving);
  // A high load would cover the days.
  const load = document.querySelector(".plan-load");
  load?.classList.toggle("low", load.offsetHeight < innerHeight / 3);
  if (!isMoving) mark();
}

let dragged = [];
addEventListener("dragstart", (event) => {
  const card = cardOf(event.target);
  if (!card?.draggable) return;
  const selected = findSelected();
  dragged = selected.includes(card) ? selected : [card];
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", card.querySelector("a").textContent);
  // Browsers end a drag if the page changes while it begins.
  setTimeout(() => setMoving(true));
});
addEventListener("dragover", (event) => {
  const place = dragged.length > 0 && toPlace(event.target);
  mark(place);
  if (place) event.preventDefault();
});
addEventListener("drop", (event) => {
  const place = dragged.length > 0 && toPlace(event.target);
  if (!place) return;
  event.preventDefault();
  void move(dragged, place);
});
addEventListener("dragend", () => {
  dragged = [];
  setMoving(false);
});

/** The move by keys: the cards, the choices, and the place chosen so far. */
let keyed;

function beginKeyed(box) {
  const { day, person } = cardOf(box).dataset;
  const days = findAll(".plan-board .plan-day[data-day]").map(({ dataset }) => dataset.day);
  const people = findAll(".plan-load tr[data-person]").map(({ dataset }) => dataset.person);
  keyed = { box, days, people, atDay: days.indexOf(day), atPerson: people.indexOf(person) };
  keyed.place = {};
  setMoving(true);
}

function endKeyed() {
  keyed = undefined;
  setMoving(false);
}

function describePlace({ day, person }) {
  const dayName = document.querySelector(`.plan-day[data-day="${day}"] .day-long`);
  const name = document.querySelector(`.plan-load tr[data-person="${person}"] th`);
  return [dayName, name].flatMap((element) => element?.textContent ?? []).join(", ");
}

const steps = { ArrowLeft: ["day", -1], ArrowRight: ["day", 1] };
Object.assign(steps, { ArrowUp: ["person", -1], ArrowDown: ["person", 1] });

function step(key) {
  const [kind, by] = steps[key];
  const [choices, at] = kind === "day" ? [keyed.days, "atDay"] : [keyed.people, "atPerson"];
  keyed[at] = Math.min(choices.length - 1, Math.max(0, keyed[at] + by));
  keyed.place[kind] = choices[keyed[at]];
  const { day = keyed.days[keyed.atDay] } = keyed.place;
  mark({ ...keyed.place, day });
  document.querySelector("td.plan-target")?.scrollIntoView({ block: "nearest" });
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const isStep = event.key in steps;
  const isFirst = keyed === undefined;
  if (isFirst && !(isStep && event.target.matches?.(".plan-card input[name=ids]:checked"))) return;
  if (isFirst) beginKeyed(event.target);
  if (isStep) {
    step(event.key);
    live.textContent = `${describePlace(keyed.place)}. ${isFirst ? words.begin : ""}`;
  } else if (event.key === "Enter") {
    const { place } = keyed;
    endKeyed();
    void move(findSelected(), place);
  } else if (event.key === "Escape") {
    endKeyed();
    live.textContent = words.cancelled;
  } else return;
  event.preventDefault();
});
addEventListener("focusout", () => {
  if (keyed) endKeyed();
});

addEventListener("submit", (event) => {
  const form = findForm();
  if (event.target !== form) return;
  event.preventDefault();
  void send(new FormData(form, event.submitter), findSelected()[0]?.id);
});
prepare();
