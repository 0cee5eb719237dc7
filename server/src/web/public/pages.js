// Enhancements of pages. Each page works without them.

/** In the page's language. */
const words = document.currentScript.dataset;

/** Selects all rows of a list at once. */
const boxes = [...document.querySelectorAll(".list .pick input")];
const heading = document.querySelector(".list thead .pick");
if (heading && boxes.length > 1) {
  const all = Object.assign(document.createElement("input"), { type: "checkbox" });
  const label = document.createElement("label");
  const text = heading.querySelector("span");
  text.textContent = words.chooseAll;
  label.append(all, text);
  heading.append(label);
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
}

/** Shows how many boxes are selected. */
for (const output of document.querySelectorAll(".selected-count")) {
  const count = () => {
    const selected = document.querySelectorAll("input[name=ids]:checked").length;
    output.textContent = selected === 0 ? "" : output.dataset.words.replace("#", selected);
  };
  addEventListener("change", count);
  addEventListener("pageshow", count);
}

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
