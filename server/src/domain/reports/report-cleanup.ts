import type { Database } from "../../db/database.js";
import { deleteInBatches, updateInBatches } from "../history/batches.js";

/** For reporters without an account. The report is kept as long as its asset. */
const keepDays = 90;

/** Deletes names, emails and photos of reports closed long ago. Photos of tasks are kept. */
export async function cleanUpReporters(db: Database): Promise<void> {
  await updateInBatches(
    db,
    "problem_reports",
    "name = NULL, email = NULL",
    `closed_at < app_now() - interval '${keepDays} days'
       AND (name IS NOT NULL OR email IS NOT NULL)`,
  );
  await deleteInBatches(
    db,
    "files",
    `task_id IS NULL AND EXISTS (SELECT FROM problem_reports r
       WHERE r.organization_id = files.organization_id AND r.id = files.report_id
         AND r.closed_at < app_now() - interval '${keepDays} days')`,
  );
}
