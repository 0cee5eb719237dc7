import { continueUndo } from "../../domain/undo/undo.js";
import type { FormRequest } from "../forms/form-spec.js";

/** Goes on with a begun undo, also after the answer. */
export async function runUndo(
  { app, caller }: Pick<FormRequest, "app" | "caller">,
  id: string,
): Promise<void> {
  const job = { name: "undo", organizationId: caller.organizationId, id };
  await app.runJob(job, (goOn) => continueUndo(app.jobDb, caller, id, goOn));
}
