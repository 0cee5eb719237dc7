import { expect, test } from "vitest";
import { limitsMarkdown } from "../support/limits-markdown.js";

test("docs/operate/limits.md lists every limit", async () => {
  await expect(limitsMarkdown()).toMatchFileSnapshot("../../docs/operate/limits.md");
});
