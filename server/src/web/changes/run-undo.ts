import { continueUndo } from "../../domain/undo/undo.js";
import { omit } from "../../domain/values/omit.js";
import type { FormRequest } from "../forms/form-spec.js";

/** Goes on with a begun undo, also after the answer. */
export async function runUndo(
  { app, caller }: Pick<FormRequest, "app" | "caller">,
  id: string,
): Promise<void> {
  const job = { name: "undo", organizationId: caller.organizationId, id };
  // What was approved goes on when the person signs out, until their access ends.
  const person = omit(caller, "sessionId");
  await app.runJob(job, (goOn) => continueUndo(app.jobDb, person, id, goOn));
}
