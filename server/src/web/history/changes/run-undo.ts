import { withoutSession } from "../../../domain/access/caller.js";
import { continueUndo } from "../../../domain/history/continue-undo.js";
import type { FormRequest } from "../../forms/form-spec.js";

/** Continues a started undo, even after the response. */
export async function runUndo(
  { app, caller }: Pick<FormRequest, "app" | "caller">,
  id: string,
): Promise<void> {
  const job = { name: "undo", organizationId: caller.organizationId, id };
  const person = withoutSession(caller);
  const report = (err: unknown) => {
    app.log.error({ err, undo: id }, "a record could not be undone");
  };
  await app.services.runJob(job, (shouldContinue) =>
    continueUndo(app.services.db, person, id, { shouldContinue, report }),
  );
}
