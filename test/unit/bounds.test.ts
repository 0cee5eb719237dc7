import { expect, test } from "vitest";
import { limitsMarkdown } from "../support/limits-markdown.js";

test("docs/operate/limits.md has every bound", async () => {
  await expect(limitsMarkdown()).toMatchFileSnapshot("../../docs/operate/limits.md");
});
