import { expect, test } from "vitest";
import { findMissing, findNamedTests, toMarkdown } from "../support/security-checks.js";

const named = findNamedTests();

test("every security check is named by a test", () => {
  expect(findMissing(named)).toEqual([]);
});

test("test/SECURITY-CHECKS.md lists them with their tests", async () => {
  await expect(toMarkdown(named)).toMatchFileSnapshot("../SECURITY-CHECKS.md");
});
