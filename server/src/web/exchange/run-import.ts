import { withoutSession } from "../../domain/access/caller.js";
import { continueImport } from "../../domain/exchange/apply-import.js";
import { makePlan } from "../../domain/exchange/imports.js";
import type { FormRequest } from "../forms/form-spec.js";
import { importWords } from "./import-words.js";

type Requested = Pick<FormRequest, "app" | "caller">;

/** Makes the plan of a started import. Continues after the response. */
export async function runPlan(requested: Requested, id: string): Promise<void> {
  await run(requested, { name: "import plan", id, work: makePlan, isHeld: true });
}

/** Continues to store a plan's changes, even after the response. */
export async function runImport(requested: Requested, id: string): Promise<void> {
  await run(requested, { name: "import", id, work: continueImport });
}

async function run(
  { app, caller }: Requested,
  { work, ...job }: { name: string; id: string; isHeld?: boolean; work: typeof makePlan },
): Promise<void> {
  const context = {
    caller: withoutSession(caller),
    mails: app.services.mails,
    words: importWords(),
  };
  const { organizationId } = caller;
  await app.services.runJob({ ...job, organizationId }, (shouldContinue) =>
    work(app.services.db, context, job.id, shouldContinue),
  );
}
