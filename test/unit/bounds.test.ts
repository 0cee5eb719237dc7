import { expect, test } from "vitest";
import { limitsMarkdown } from "../support/limits-markdown.js";

test("server/LIMITS.md has every bound", async () => {
  await expect(limitsMarkdown()).toMatchFileSnapshot("../../server/LIMITS.md");
});
