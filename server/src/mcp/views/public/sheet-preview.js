// @ts-check
import { correction, generate } from "lean-qr";

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {{ page: { width: number, height: number }, columns: number, rows: number,
 *   first: { x: number, y: number }, pitch: { x: number, y: number },
 *   label: { width: number, height: number }, code: Box, text: Box }} Template
 * @typedef {{ encodedUrl: string, lines: string[] }} Label
 */

const svg = "http://www.w3.org/2000/svg";
/** Light margin around a code, in modules. */
const quietZone = 4;
/** Largest font size on a label, in millimeters. */
const largestText = 3.9;

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...Element} children
 */
function shape(name, attributes, ...children) {
  const made = document.createElementNS(svg, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** @param {Template} template */
export function labelsPerPage({ columns, rows }) {
  return columns * rows;
}

/**
 * Draws one page in millimeters: used places are hatched, labels have codes and texts.
 *
 * @param {Template} template
 * @param {{ used: number, labels: (Label | undefined)[], description: string,
 *   onChoose?: (place: number) => void }} page
 */
export function drawPage(template, { used, labels, description, onChoose }) {
  const { width, height } = template.page;
  const places = Array.from({ length: labelsPerPage(template) }, (_, place) =>
    drawPlace(template, place, { isUsed: place < used, label: labels[place], onChoose }),
  );
  const hatch = shape(
    "pattern",
    { id: "hatch", width: 2, height: 2, patternUnits: "userSpaceOnUse" },
    shape("path", { d: "M0 2L2 0", stroke: "#8b9299", "stroke-width": 0.3 }),
  );
  const size = { width: width * 3, height: height * 3, viewBox: `0 0 ${width} ${height}` };
  return shape("svg", { ...size, role: "img", "aria-label": description }, hatch, ...places);
}

/**
 * @param {Template} template
 * @param {number} place
 * @param {{ isUsed: boolean, label: Label | undefined, onChoose: ((place: number) => void) | undefined }} content
 */
function drawPlace(template, place, { isUsed, label, onChoose }) {
  const { columns, first, pitch } = template;
  const x = first.x + (place % columns) * pitch.x;
  const y = first.y + Math.floor(place / columns) * pitch.y;
  const group = shape(
    "g",
    { transform: `translate(${x} ${y})`, class: onChoose === undefined ? "" : "place" },
    shape("rect", {
      ...template.label,
      rx: 1,
      fill: isUsed ? "url(#hatch)" : "#ffffff",
      stroke: "#8b9299",
      "stroke-width": 0.2,
    }),
  );
  if (label !== undefined) group.append(drawCode(template, label), drawText(template, label));
  if (onChoose !== undefined) group.addEventListener("click", () => onChoose(place));
  return group;
}

/** @type {Map<string, { size: number, path: string }>} */
const drawnCodes = new Map();

/** @param {string} text */
function findCode(text) {
  const known = drawnCodes.get(text);
  if (known !== undefined) return known;
  const { size, get } = generate(text, { minCorrectionLevel: correction.M });
  let path = "";
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (get(x, y)) path += `M${x + quietZone} ${y + quietZone}h1v1h-1z`;
    }
  }
  const code = { size, path };
  drawnCodes.set(text, code);
  return code;
}

/**
 * @param {Template} template
 * @param {Label} label
 */
function drawCode({ code: { x, y, width } }, { encodedUrl }) {
  const { size, path } = findCode(encodedUrl);
  const scale = width / (size + 2 * quietZone);
  return shape("path", {
    d: path,
    transform: `translate(${x} ${y}) scale(${scale})`,
    "shape-rendering": "crispEdges",
  });
}

/**
 * @param {Template} template
 * @param {Label} label
 */
function drawText({ text: { x, y, width, height } }, { lines }) {
  const text = document.createElement("div");
  text.className = "text";
  text.style.fontSize = `${Math.min(largestText, height / (lines.length * 2.4))}px`;
  for (const line of lines) {
    const row = document.createElement("div");
    row.dir = "auto";
    row.textContent = line;
    text.append(row);
  }
  return shape("foreignObject", { x, y, width, height }, text);
}
