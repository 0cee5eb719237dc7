import { expect, test } from "vitest";
import { allTools } from "../../server/src/mcp/registry.js";
import { findView, viewList } from "../../server/src/mcp/views/views.js";

const documents = viewList.map(({ uri, name }) => {
  const text = findView(uri)?.contents[0]?.text ?? "";
  return { name, text };
});

test("every view belongs to a tool, and every tool's view exists", () => {
  expect(allTools.flatMap(({ view }) => view ?? []).sort()).toEqual(
    viewList.map(({ uri }) => uri).sort(),
  );
});

test.each(documents)("$name is one small document that loads nothing", ({ text }) => {
  expect(Buffer.byteLength(text)).toBeLessThan(40_000);
  expect(text).not.toMatch(/^\s*(import|export)\b/m);
  expect(text).not.toMatch(/\b(src|href)=|url\((?!#)|@import|fetch\(|innerHTML|eval\(/);
  const addresses = text.match(/https?:\/\/[^"\s]+/g) ?? [];
  expect(addresses.filter((address) => address !== "http://www.w3.org/2000/svg")).toEqual([]);
});

test.each(documents)("$name includes the license of bundled code", ({ name, text }) => {
  expect(text.includes("MIT License") && text.includes("David Evans")).toBe(
    name === "label_sheet_view",
  );
});
