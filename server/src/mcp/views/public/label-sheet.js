// @ts-check
import { callTool, canCallTools, connect, openLink, wordsOf } from "./host.js";
import { byId, countOf, element, say, typed } from "./page.js";
import { drawPage, labelsPerPage } from "./sheet-preview.js";

/**
 * @typedef {{ asset_id: string, inventory_number: string, name: string, encoded_url: string,
 *   image_url?: string }} Code
 * @typedef {import("./sheet-preview.js").Template} Template
 */

const tool = "generate_asset_qr_codes";
/** @type {Record<string, Template>} */
const templates = JSON.parse(byId("templates").textContent);
/** @type {HTMLSelectElement} */
const template = byId("template");
/** @type {HTMLInputElement} */
const used = byId("used");
/** @type {HTMLButtonElement} */
const open = byId("open");
/** @type {HTMLButtonElement} */
const before = byId("before");
/** @type {HTMLButtonElement} */
const next = byId("next");

/** @type {Code[]} */
let codes = [];
/** @type {string[]} */
let fields = ["name", "inventory_number"];
let page = 0;

for (const [name, layout] of Object.entries(templates)) {
  template.append(element("option", { value: name }, describeTemplate(name, layout)));
}

/**
 * @param {string} name
 * @param {Template} layout
 */
function describeTemplate(name, layout) {
  const { page: paper, label } = layout;
  const words = name.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const perPage = labelsPerPage(layout);
  const kind =
    perPage === 1 ? "1 per page" : `${perPage} per ${paper.width === 210 ? "A4" : "Letter"} page`;
  const size = `${Math.round(label.width)} × ${Math.round(label.height)} mm`;
  return `${words.join(" ")} (${size}, ${kind})`;
}

function chosen() {
  const layout = /** @type {Template} */ (templates[template.value]);
  const perPage = labelsPerPage(layout);
  const skip = Math.min(Math.max(Math.trunc(used.valueAsNumber) || 0, 0), perPage - 1);
  return { layout, perPage, skip, pages: Math.ceil((skip + codes.length) / perPage) };
}

function show() {
  const { layout, perPage, skip, pages } = chosen();
  page = Math.min(page, pages - 1);
  used.max = String(perPage - 1);
  byId("used-field").hidden = perPage === 1;
  byId("hint").hidden = perPage === 1 || page > 0;
  byId("pages").hidden = pages === 1;
  byId("page").textContent = `Page ${page + 1} of ${pages}`;
  before.disabled = page === 0;
  next.disabled = page === pages - 1;
  const usedHere = page === 0 ? skip : 0;
  const labels = Array.from({ length: perPage }, (_, place) => {
    const code = codes[page * perPage + place - skip];
    return (
      code && { encodedUrl: code.encoded_url, lines: fields.map((field) => lineOf(field, code)) }
    );
  });
  const count = labels.filter((label) => label !== undefined).length;
  const description = `Page ${page + 1} of ${pages}: ${usedHere} of ${countOf(perPage, "label")} already used, then ${countOf(count, "new label")}.`;
  const onChoose = perPage > 1 && page === 0 ? choosePlace : undefined;
  byId("preview").replaceChildren(
    drawPage(layout, { used: usedHere, labels, description, ...(onChoose && { onChoose }) }),
  );
}

/**
 * The label fields in the response. Printing loads the rest.
 *
 * @param {string} field
 * @param {Code} code
 */
function lineOf(field, { name, inventory_number }) {
  if (field === "name") return name;
  return field === "inventory_number" ? inventory_number : `(${field.replaceAll("_", " ")})`;
}

/** @param {number} place */
function choosePlace(place) {
  used.value = String(place);
  show();
}

async function openSheet() {
  const { skip } = chosen();
  open.disabled = true;
  try {
    const { answer, notes } = await callTool(tool, {
      asset_ids: codes.map(({ asset_id }) => asset_id),
      format: "pdf_sheet",
      label_template: template.value,
      skip_labels: skip,
      label_fields: fields,
    });
    const { url, pages } = answer.sheet;
    await openFile(url, [`${countOf(pages, "page")}. Print at 100 %.`, ...notes]);
  } catch (error) {
    say([wordsOf(error)], "failed");
  }
  open.disabled = false;
}

/**
 * @param {string} url
 * @param {string[]} [more]
 */
async function openFile(url, more = []) {
  const isOpen = await openLink(url);
  /** @type {HTMLInputElement} */
  const address = byId("address");
  address.value = url;
  byId("address-field").hidden = isOpen;
  say([
    isOpen ? "The file is open in your browser." : "This app couldn't open the file.",
    ...more,
    "The link works for an hour.",
  ]);
}

function showImages() {
  const rows = codes.flatMap(({ image_url, name, inventory_number }) => {
    if (image_url === undefined) return [];
    const label = ["Open ", inventory_number];
    const button = element("button", { type: "button", class: "quiet" }, ...label);
    button.addEventListener("click", () => openFile(image_url));
    return [element("li", {}, button, " ", typed(name))];
  });
  byId("images").hidden = rows.length === 0;
  byId("images")
    .querySelector("ul")
    ?.replaceChildren(...rows);
}

/** @param {{ asset: string, reason: string }[]} skipped */
function summarize(skipped) {
  const without = skipped.map(({ asset, reason }) => [typed(asset), `: ${reason}`]);
  byId("summary").replaceChildren(
    `${countOf(codes.length, "label")}.`,
    ...without.flatMap((parts) => [" No label for ", ...parts, "."]),
  );
}

template.addEventListener("change", show);
used.addEventListener("input", show);
used.addEventListener("change", () => {
  used.value = String(chosen().skip);
});
open.addEventListener("click", openSheet);
before.addEventListener("click", () => {
  page -= 1;
  show();
});
next.addEventListener("click", () => {
  page += 1;
  show();
});

connect("fettle-label-sheet", {
  onInput: ({ label_template, skip_labels, label_fields }) => {
    if (typeof label_template === "string") template.value = label_template;
    if (template.value === "") template.selectedIndex = 0;
    used.value = String(Number(skip_labels ?? 0));
    fields = [label_fields ?? fields].flat().flatMap((field) => field.split(/\s*,\s*/));
  },
  onAnswer: ({ answer, notes }) => {
    codes = answer.codes ?? [];
    summarize(answer.skipped ?? []);
    showImages();
    byId("sheet").hidden = false;
    open.hidden = !canCallTools();
    show();
    if (notes.length > 0) say(notes);
  },
  onFailure: (words) => say([words], "failed"),
});
