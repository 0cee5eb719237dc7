import { importUrl } from "../domain/access/urls.js";
import type { NewAsset } from "../domain/assets/create-asset.js";
import { planValues } from "../domain/exchange/imports.js";
import type { ToolContext } from "./define-tool.js";
import { aboutRecord, groupMistakes } from "./mistakes.js";
import { describeRefusalForAssistants } from "./refusals-for-assistants.js";

/** An import that waits on its page for a person, with what is wrong with rows. */
export async function planAssets(
  { db, caller, mails }: Pick<ToolContext, "db" | "caller" | "mails">,
  given: NewAsset[],
): Promise<{ plan_url: string; warnings: string[] }> {
  const of = { noun: "asset", rows: given.map((row) => ({ ...row })) } as const;
  const { id, rows } = await planValues(db, { caller, mails }, "assets", of);
  const mistakes = rows.flatMap(({ line, details: { problems = [] } }) =>
    problems.map((problem) =>
      aboutRecord(`assets[${line - 1}]`, describeRefusalForAssistants(problem)),
    ),
  );
  return { plan_url: importUrl(caller, id), warnings: groupMistakes(mistakes) };
}
