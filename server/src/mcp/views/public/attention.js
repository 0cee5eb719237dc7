// @ts-check
import { callTool, canCallTools, connect, openLink, tellAssistant, wordsOf } from "./host.js";
import { byId, countOf, element, say, typed } from "./page.js";
import { dateOf, reasonOf, toneOf } from "./attention-words.js";
import { actsFor } from "./task-acts.js";

/**
 * @typedef {import("./attention-words.js").AttentionItem} AttentionItem
 * @typedef {import("./attention-words.js").Task} Task
 * @typedef {import("./task-acts.js").Act} Act
 * @typedef {import("./task-acts.js").Me} Me
 */

const stats = "get_organization_stats";
/** Number of items before "show the rest", so that the conversation below stays visible. */
const few = 8;
const content = byId("content");
const allClear =
  "You're all caught up. Nothing is broken or overdue, and everything urgent or due soon has an assignee.";

let isAsked = false;
let isWhole = false;
/** The response's workspace, if it is about one. */
let place = {};
/** @type {Me | undefined} */
let me;
/** @type {string[]} */
const doneHere = [];

/** @param {{ attention?: AttentionItem[], attention_not_shown?: number }} answer */
function showMatters({ attention: matters = [], attention_not_shown: left = 0 }) {
  content.replaceChildren();
  if (matters.length === 0) {
    content.append(element("p", {}, allClear));
    return;
  }
  if (me?.granted_scopes.includes("mcp_write") === false) {
    const why =
      "This connection is read-only. To make changes, reconnect the app under Settings > Connected Apps.";
    content.append(element("p", { class: "soft" }, why));
  }
  const shown = isWhole ? matters : matters.slice(0, few);
  const list = element("ol", { class: "matters" }, ...shown.map(toRow));
  content.append(list);
  if (shown.length < matters.length) {
    const showAll = () => {
      isWhole = true;
      showMatters({ attention: matters, attention_not_shown: left });
      /** @type {HTMLElement | null} */ (
        content.querySelector(`li:nth-child(${few + 1})`)
      )?.focus();
    };
    const label = `Show ${matters.length - few} more`;
    content.append(
      element(
        "p",
        {},
        element("button", { type: "button", class: "quiet", click: showAll }, label),
      ),
    );
  } else if (left > 0) {
    const shownOf = `Showing the ${matters.length} most urgent of ${matters.length + left}.`;
    content.append(element("p", { class: "soft" }, shownOf));
  }
}

/** @param {AttentionItem} matter */
function toRow(matter) {
  const confirm = element("div", { class: "confirm", role: "group", tabindex: "-1" });
  confirm.hidden = true;
  const buttons = element("div", { class: "buttons" });
  for (const act of actsFor(matter, me)) {
    const open = (/** @type {HTMLButtonElement} */ button) =>
      openConfirmation(act, matter, confirm, button);
    buttons.append(toButton(act.label, matter, open));
  }
  const view = matter.task_number === undefined ? "View asset" : "View task";
  if (canCallTools()) buttons.append(toButton(view, matter, () => openPage(matter)));
  return element(
    "li",
    { class: `matter ${toneOf(matter)}`, tabindex: "-1" },
    element("p", {}, ...reasonOf(matter)),
    element("p", { class: "about" }, ...aboutOf(matter)),
    buttons,
    confirm,
  );
}

/**
 * @param {AttentionItem} matter
 * @returns {(string | Node)[]}
 */
function aboutOf({ inventory_number, name, task_number, workspace_name, reason, ...rest }) {
  const { assigned_to, more } = rest;
  /** @type {(string | Node)[][]} */
  const parts = [
    inventory_number === undefined ? [] : [`${inventory_number} `, typed(name ?? "")],
    task_number === undefined ? [] : [task_number],
    workspace_name === undefined ? [] : [typed(workspace_name)],
    reason === "overdue" ? [typed(assigned_to ?? "Unassigned")] : [],
    more === undefined ? [] : [`and ${more} more`],
  ];
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : [" · ", ...part]));
}

/**
 * A button that is disabled while it works.
 *
 * @param {string} label
 * @param {AttentionItem} matter
 * @param {(button: HTMLButtonElement) => Promise<void>} act
 */
function toButton(label, { task_number, inventory_number = "" }, act) {
  const about = element(
    "span",
    { class: "visually-hidden" },
    ` ${task_number ?? inventory_number}`,
  );
  const button = element("button", { type: "button", class: "quiet" }, label, about);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await act(button);
    } catch (error) {
      say([wordsOf(error)], "failed");
    }
    button.disabled = false;
  });
  return button;
}

/**
 * Shows the current state of the task and asks for confirmation before any change.
 *
 * @param {Act} act
 * @param {AttentionItem} matter
 * @param {HTMLElement} confirm
 * @param {HTMLButtonElement} opener
 */
async function openConfirmation(act, { task_number }, confirm, opener) {
  const person = me;
  if (person === undefined) return;
  const found = await callTool("get_maintenance_task", { task_id: task_number });
  /** @type {Task} */
  const task = found.answer.task;
  const notes = element("textarea", { rows: "2", maxlength: "5000" });
  const yes = element("button", { type: "button" }, act.button);
  const no = element("button", { type: "button", class: "quiet" }, "Cancel");
  const failure = element("p", { class: "failed", role: "alert" });
  const lines = act.ask(task, person).map((line) => element("p", { dir: "auto" }, line));
  confirm.replaceChildren(
    ...lines,
    ...(act.withNotes ? [element("label", {}, "Completion notes (optional)", notes)] : []),
    element("div", { class: "buttons" }, yes, no),
    failure,
  );
  confirm.setAttribute("aria-label", act.button);
  confirm.hidden = false;
  confirm.focus();
  no.addEventListener("click", () => {
    confirm.hidden = true;
    opener.focus();
  });
  yes.addEventListener("click", async () => {
    yes.disabled = true;
    try {
      await change(task, act.change(task, person, notes.value.trim()), act.done(task, person));
    } catch (error) {
      failure.textContent = wordsOf(error);
      yes.disabled = false;
    }
  });
}

/**
 * @param {Task} task
 * @param {object} values
 * @param {string} done
 */
async function change({ task_number, version }, values, done) {
  const given = { task_id: task_number, expected_version: version, ...values };
  const { answer } = await callTool("update_maintenance_task", given);
  const { next_task: next, warnings = [] } = answer;
  const follows = next && `Next task: ${next.task_number}, due on ${dateOf(next.due_date)}.`;
  doneHere.push(done);
  tellAssistant(`Done by the person in the attention list: ${doneHere.join(" ")}`);
  say([done, ...(follows ? [follows] : []), ...warnings]);
  byId("message").focus();
  await load();
}

/** @param {AttentionItem} matter */
async function openPage({ asset_id, task_number }) {
  const found =
    task_number === undefined
      ? await callTool("get_asset", { asset_id })
      : await callTool("get_maintenance_task", { task_id: task_number });
  const { url } = found.answer.task ?? found.answer.asset;
  if (!(await openLink(url)))
    say(["This app couldn't open the page. Open this address in a browser:", url]);
}

async function load() {
  const { answer } = await callTool(stats, { include: ["attention"], ...place });
  showMatters(answer);
}

/** @param {any} answer */
function offerList({ assets, tasks }) {
  const counts = [
    assets?.total !== undefined && countOf(assets.total, "asset"),
    tasks?.by_state && `${countOf(tasks.by_state.overdue ?? 0, "task")} overdue`,
  ].filter(Boolean);
  content.replaceChildren(element("p", {}, counts.join(" · ")));
  if (!canCallTools()) return;
  const button = element("button", { type: "button" }, "Show attention list");
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await load();
    } catch (error) {
      say([wordsOf(error)], "failed");
      button.disabled = false;
    }
  });
  content.append(button);
}

connect("fettle-attention", {
  onInput: ({ include = [], workspace_id }) => {
    place = workspace_id === undefined ? {} : { workspace_id };
    isAsked = [include].flat().includes("attention");
  },
  onAnswer: async ({ answer }) => {
    // If the person is unknown, show no actions.
    if (canCallTools())
      me = await callTool("get_current_user", {}).then(
        ({ answer: it }) => it,
        () => undefined,
      );
    if (isAsked || answer.attention !== undefined) showMatters(answer);
    else offerList(answer);
    content.removeAttribute("aria-busy");
  },
  onFailure: (words) => {
    content.removeAttribute("aria-busy");
    say([words], "failed");
  },
});
