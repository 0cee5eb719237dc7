// Enhancements of pages. Each page works without them.

/** In the page's language. */
const words = document.currentScript.dataset;

/** Offers to select all boxes at once. */
function offerAll(place, boxes, text) {
  if (place === null || boxes.length < 2) return;
  const all = Object.assign(document.createElement("input"), { type: "checkbox" });
  const label = document.createElement("label");
  text.textContent = words.chooseAll;
  label.append(all, text);
  place.append(label);
  const show = () => {
    const chosen = boxes.filter((box) => box.checked).length;
    all.checked = chosen === boxes.length;
    all.indeterminate = chosen > 0 && !all.checked;
  };
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
  });
  for (const box of boxes) box.addEventListener("change", show);
  addEventListener("pageshow", show);
  addEventListener("reset", () => setTimeout(show));
}

const heading = document.querySelector(".list thead .pick");
offerAll(
  heading,
  [...document.querySelectorAll(".list .pick input")],
  heading?.querySelector("span"),
);
for (const plans of document.querySelectorAll(".ready-plans")) {
  const place = Object.assign(document.createElement("div"), { className: "all-plans" });
  plans.before(place);
  offerAll(place, [...plans.querySelectorAll("input")], document.createElement("span"));
}

/** Shows how many boxes are selected, and the hours of their rows. */
function showSelected() {
  const output = document.querySelector(".selected-count");
  if (output === null) return;
  const { words: selected, ...time } = output.dataset;
  const chosen = [...document.querySelectorAll("input[name=ids]:checked")];
  const sum = chosen.reduce(
    (total, box) => total + Number(box.closest("[data-minutes]")?.dataset.minutes ?? 0),
    0,
  );
  const [hours, minutes] = [Math.floor(sum / 60), sum % 60];
  const text = hours === 0 ? time.minutes : minutes === 0 ? time.hours : time.both;
  output.textContent = [
    ...(chosen.length > 0 ? [selected.replace("#", chosen.length)] : []),
    ...(sum > 0 ? [text.replace("#h", hours).replace("#m", minutes)] : []),
  ].join(" · ");
}
addEventListener("change", showSelected);
addEventListener("pageshow", showSelected);
// A form is reset after the event.
addEventListener("reset", () => setTimeout(showSelected));

/** Asks for confirmation before input is lost. */
for (const form of document.querySelectorAll('form:is(.panel, .import-answers)[method="post"]')) {
  let isTyped = false;
  form.addEventListener("input", () => (isTyped = true));
  form.addEventListener("submit", () => (isTyped = false));
  form.querySelector(".actions > a.button")?.addEventListener("click", () => (isTyped = false));
  addEventListener("beforeunload", (event) => {
    if (isTyped) event.preventDefault();
  });
}

/** Sends chosen files at once. In a form with other fields, collects and previews them. */
for (const input of document.querySelectorAll(".file-button > input")) {
  const { form, parentElement: control } = input;
  control.classList.add("scripted");
  if (form.matches(".add-files")) {
    const button = form.querySelector("[type=submit]");
    button.hidden = true;
    input.addEventListener("change", () => {
      if (input.files.length === 0) return;
      input.labels[0].textContent = button.dataset.busy;
      form.requestSubmit();
    });
    continue;
  }
  let chosen = [];
  const list = Object.assign(document.createElement("ul"), { className: "previews" });
  control.append(list);
  const keep = () => {
    const all = new DataTransfer();
    for (const file of chosen) all.items.add(file);
    input.files = all.files;
  };
  input.addEventListener("change", () => {
    if (!input.multiple) {
      chosen = [];
      list.replaceChildren();
    }
    // A camera gives one photo at a time.
    for (const file of input.files) {
      chosen.push(file);
      list.append(
        toPreview(file, (item) => {
          chosen = chosen.filter((one) => one !== file);
          keep();
          item.remove();
          input.focus();
        }),
      );
    }
    keep();
  });
}

/** The warnings of a step, true if they apply to its answer. */
function findFailures(step) {
  const { value = "" } = step.querySelector("input:checked, input[type=text]") ?? {};
  // With a decimal comma or point, and maybe separators of thousands.
  const number = value
    .trim()
    .replace(/^[−–]/, "-")
    .replaceAll(/[\s\u2019']|[.,](?=.*[.,])/g, "")
    .replace(",", ".");
  const { min = "", max = "" } = step.querySelector("[role=status]")?.dataset ?? {};
  return {
    below: number !== "" && min !== "" && Number(number) < Number(min),
    above: number !== "" && max !== "" && Number(number) > Number(max),
    failed: value === "fail",
  };
}

/** Warns of an answer that fails its step, as soon as it is given. */
addEventListener("change", ({ target }) => {
  const step = target.closest?.(".steps-form .step");
  const status = step?.querySelector("[role=status]");
  if (status == null) return;
  const fails = findFailures(step);
  step.querySelector(":scope > .step-outcome")?.remove();
  for (const warning of status.children) warning.hidden = !fails[warning.dataset.warning];
});

/** While a step fails that takes the asset out of service, the asset can't be called usable. */
const usable = document.querySelector("fieldset#asset_state");
if (usable !== null) {
  const [yes, no] = usable.querySelectorAll("input");
  const status = usable.querySelector("[role=status]");
  let wasYes = false;
  const follow = () => {
    const stop = [...document.querySelectorAll("[data-stops]")].find((step) =>
      Object.values(findFailures(step)).includes(true),
    );
    if (stop !== undefined) {
      wasYes ||= yes.checked;
      no.checked = true;
    } else if (yes.disabled && wasYes) yes.checked = true;
    if (stop === undefined) wasYes = false;
    yes.disabled = stop !== undefined;
    const text = stop?.dataset.stops ?? "";
    if (status.textContent !== text) status.textContent = text;
  };
  addEventListener("change", follow);
  addEventListener("pageshow", follow);
}

/** Buttons beside the time spent, in steps of five minutes. */
const spent = document.getElementById("actual_minutes");
/** The forms that the server reads: "90", "1:30", "1h30", "1 h 30 min". */
const timeSpans = [
  /^()(\d{1,9})(?:\s?min)?$/i,
  /^(\d{1,7}):([0-5]\d)$/,
  /^(\d{1,7})\s?h(?:\s?([0-5]?\d)(?:\s?min)?)?$/i,
];
if (spent !== null) {
  const group = Object.assign(document.createElement("span"), { className: "stepper" });
  const toButton = (sign, label, toNext) => {
    const given = { type: "button", className: "quiet", textContent: sign };
    const button = Object.assign(document.createElement("button"), given);
    button.setAttribute("aria-label", label);
    button.setAttribute("aria-controls", spent.id);
    button.addEventListener("click", () => {
      const found = timeSpans.map((form) => form.exec(spent.value.trim())).find(Boolean);
      // After the form is sent, the server says what is wrong.
      if (found === undefined && spent.value.trim() !== "") return;
      const [, hours = 0, minutes = 0] = found ?? [];
      spent.value = String(Math.max(0, toNext((Number(hours) * 60 + Number(minutes)) / 5) * 5));
      spent.dispatchEvent(new Event("input", { bubbles: true }));
    });
    return button;
  };
  const less = toButton("−", words.less, (steps) => Math.ceil(steps) - 1);
  const more = toButton("+", words.more, (steps) => Math.floor(steps) + 1);
  spent.replaceWith(group);
  group.append(less, spent, more);
}

/** The picture, or else the name, of a chosen file. Scripts may draw pictures without an address. */
function toPreview(file, remove) {
  const item = document.createElement("li");
  const name = Object.assign(document.createElement("span"), { textContent: file.name });
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "quiet",
    textContent: words.remove,
  });
  button.setAttribute("aria-label", `${words.remove} (${file.name})`);
  button.addEventListener("click", () => remove(item));
  item.append(name, button);
  createImageBitmap(file, { resizeHeight: 160 }).then(
    (picture) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [picture.width, picture.height];
      canvas.getContext("2d").drawImage(picture, 0, 0);
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", file.name);
      name.replaceWith(canvas);
      picture.close();
    },
    () => {},
  );
  return item;
}

/** Suggests assets while the person types. */
for (const input of document.querySelectorAll("input[data-finds=assets]")) {
  const list = Object.assign(document.createElement("datalist"), { id: `${input.id}-found` });
  input.after(list);
  input.setAttribute("list", list.id);
  let waiting;
  let asked = "";
  const find = async () => {
    const query = input.value.trim();
    if (query === asked) return;
    asked = query;
    const answer = await fetch(`/search/assets?${new URLSearchParams({ q: query })}`).catch(
      () => {},
    );
    const found = answer?.ok ? await answer.json() : [];
    if (query !== asked) return;
    list.replaceChildren(
      ...found.map(({ inventory_number: number, name }) => new Option(name, number)),
    );
  };
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(find, 200);
  });
}

/** Suggests people after "@", in a list below the text. */
for (const area of document.querySelectorAll("textarea[data-mentions]")) {
  const id = `${area.id}-people`;
  const list = Object.assign(document.createElement("ul"), { className: "mentions", id });
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", area.dataset.label);
  area.after(list);
  area.setAttribute("aria-autocomplete", "list");
  area.setAttribute("aria-controls", id);
  let [active, waiting] = [0];
  /** The start of a name before the cursor, of up to three words. */
  const typed = () =>
    /(?:^|[\s(])@([^\s@]*(?: [^\s@]+){0,2})$/u.exec(area.value.slice(0, area.selectionStart))?.[1];
  const activate = (index) => {
    const items = [...list.children];
    active = (index + items.length) % items.length;
    items.forEach((item, place) => item.setAttribute("aria-selected", place === active));
    area.setAttribute("aria-activedescendant", items[active].id);
  };
  const close = () => {
    clearTimeout(waiting);
    list.hidden = true;
    area.removeAttribute("aria-activedescendant");
  };
  const find = async (name) => {
    const address = `${area.dataset.mentions}?${new URLSearchParams({ q: name })}`;
    const answer = await fetch(address).catch(() => {});
    const found = answer?.ok ? await answer.json() : [];
    if (typed() !== name || document.activeElement !== area) return;
    if (found.length === 0) return close();
    list.replaceChildren(
      ...found.map((textContent, index) => {
        const item = Object.assign(document.createElement("li"), { textContent, dir: "auto" });
        item.id = `${id}-${index}`;
        item.setAttribute("role", "option");
        return item;
      }),
    );
    list.hidden = false;
    activate(0);
  };
  const choose = (item) => {
    const end = area.selectionStart;
    area.setRangeText(`${item.textContent} `, end - (typed() ?? "").length, end, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  };
  area.addEventListener("input", () => {
    const name = typed();
    clearTimeout(waiting);
    if (name === undefined) close();
    else waiting = setTimeout(find, 150, name);
  });
  area.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing) return;
    const keys = {
      ArrowDown: () => activate(active + 1),
      ArrowUp: () => activate(active - 1),
      Enter: () => choose(list.children[active]),
      Escape: close,
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  // Keeps the focus in the text.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", ({ target }) => {
    if (target !== list) choose(target);
  });
  area.addEventListener("blur", close);
}

/** Adds a button that copies an address. */
for (const input of document.querySelectorAll("input.copy")) {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "quiet",
    textContent: words.copy,
  });
  button.addEventListener("click", async () => {
    input.select();
    await navigator.clipboard?.writeText(input.value).then(
      () => (button.textContent = words.copied),
      () => {},
    );
  });
  input.after(button);
}

/** The icon of the installed app shows as many unread notifications as the bell. */
const unread = document.querySelector(".bell")?.dataset.unread;
if (unread !== undefined) navigator.setAppBadge?.(Number(unread)).catch(() => {});
