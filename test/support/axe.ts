import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type axe from "axe-core";
import type { Frame, Page } from "playwright-core";

const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * Returns axe's findings, by tags or rules. It runs in the page, because our pages have no frames
 * and the builder that handles frames is six times as slow.
 */
export async function runAxe(page: Page | Frame, runOnly: string[] = tags): Promise<string[]> {
  // The script has half a megabyte, so inject it once per document.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
  const { violations, passes } = await page.evaluate(
    async (rules) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        runOnly: rules,
        resultTypes: ["violations"],
      }),
    runOnly,
  );
  if (passes.length === 0) return ["nothing could be checked"];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary ?? ""}`),
  );
}
