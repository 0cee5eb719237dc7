import { importUrl } from "../domain/access/urls.js";
import type { NewAsset } from "../domain/assets/create-asset.js";
import { planValues } from "../domain/imports/imports.js";
import type { ToolContext } from "./define-tool.js";
import { describeRefusalForAssistants } from "./refusals-for-assistants.js";

/** An import that waits on its page for a person, with what is wrong with rows. */
export async function planAssets(
  { db, caller, mails }: Pick<ToolContext, "db" | "caller" | "mails">,
  given: NewAsset[],
): Promise<{ plan_url: string; warnings: string[] }> {
  const context = { caller, mails, word: describeRefusalForAssistants };
  const title = `${given.length} ${given.length === 1 ? "asset" : "assets"}`;
  const values = given.map((row) => ({ ...row }));
  const { id, rows } = await planValues(db, context, "assets", { title, rows: values });
  const warnings = rows.flatMap(({ line, details: { problems = [] } }) =>
    problems.map((problem) => `assets[${line - 1}]: ${problem}`),
  );
  return { plan_url: importUrl(caller, id), warnings };
}
