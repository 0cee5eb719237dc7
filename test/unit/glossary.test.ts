import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  assetColumns,
  peopleColumns,
  taskColumns,
  toHeading,
  workspaceColumns,
} from "../../server/src/domain/exchange/headings.js";
import { importFields } from "../../server/src/domain/exchange/import-kinds.js";
import { inLocale } from "../../server/src/language/locale.js";
import { toColumnLabel, toFieldLabel } from "../../server/src/web/text/field-labels.js";

const exported = [...assetColumns, ...taskColumns, ...peopleColumns, ...workspaceColumns];
const imported = Object.values(importFields).flatMap((fields) => Object.keys(fields));
const fields = [...new Set([...exported, ...imported])].toSorted();

test("import columns, export headings and labels use one English term", () => {
  for (const field of fields) expect(toColumnLabel(field)).toBe(toHeading(field));
  // A narrower heading still begins with the term of the field.
  for (const field of fields)
    expect(toHeading(field)).toMatch(new RegExp(`^${toFieldLabel(field)}`));
});

test("docs/glossary.md lists the term of every field", () => {
  const rows = fields.map((field) => {
    const translations = (["de-DE", "fr-FR", "es-ES"] as const).map((locale) =>
      inLocale(locale, () => toFieldLabel(field)),
    );
    return `| ${[toFieldLabel(field), `\`${field}\``, ...translations].join(" | ")} |\n`;
  });
  const page = readFileSync("docs/glossary.md", "utf8").replaceAll(/ +/g, " ");
  expect(page.slice(page.indexOf("| Term | Name |")).split("\n").slice(2).join("\n")).toBe(
    rows.toSorted().join(""),
  );
});
