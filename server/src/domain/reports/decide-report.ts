import { IsNull, type Tx } from "../../db/database.js";
import type { TaskPriority } from "../../db/entities/tasks.js";
import { ProblemReport } from "../../db/entities/reports.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { momentOf } from "../access/clock.js";
import { confirmAccess } from "../access/confirm-access.js";
import { changeAssetState } from "../assets/change-asset-state.js";
import { noteReportForWebhooks } from "../messaging/webhook-events.js";
import { recordEvent } from "../history/record-events.js";
import { maxOfRecord } from "../files/add-files.js";
import { getAssetId } from "../shared/asset-references.js";
import { getWorkspace } from "../shared/workspace-references.js";
import { createTask } from "../tasks/create-task.js";
import { idKindOf } from "../shared/ids.js";
import { omit } from "../shared/omit.js";
import { cleanText } from "../shared/text.js";
import { findMergeTargets, getReport, type ReportRow } from "./find-reports.js";
import { tellReporters, type ReportServices } from "./tell-reporters.js";

export type Decision =
  | {
      kind: "accept";
      title: string;
      assigned_to_user_id?: string | undefined;
      due_date?: string | undefined;
      priority?: TaskPriority | undefined;
    }
  | { kind: "merge"; into: string }
  | { kind: "answer" | "refuse"; answer: string; restore: boolean };

export interface Decided {
  report: ReportRow;
  /** The resulting task, or the task it was merged into. */
  taskId: string | null;
  /** The new task, which an undo cancels. */
  changed: readonly string[];
}

const maxAnswer = 2000;

export async function decideReport(
  tx: Tx,
  caller: Caller,
  services: ReportServices,
  id: string,
  decision: Decision,
): Promise<Decided> {
  const report = await lockReport(tx, caller, id);
  const outcome = await carryOut(tx, caller, report, decision);
  const { organizationId: organization_id } = caller;
  await tx.update(
    ProblemReport,
    { organization_id, id },
    { ...outcome, closed_by: caller.userId, closed_at: () => "app_now()" },
  );
  const { task_id = null } = outcome;
  if (task_id !== null) await passFilesOn(tx, caller, id, task_id);
  await noteReportForWebhooks(tx, caller, "report.closed", report);
  // Confirm access first: other emails to these addresses wait for the locks taken below.
  await confirmAccess(tx, caller);
  if (outcome.merged_into === undefined) await tellReporters(tx, caller, services, id);
  const isNew = outcome.status === "accepted" && task_id !== null;
  return { report, taskId: task_id, changed: isNew ? [task_id] : [] };
}

async function lockReport(tx: Tx, caller: Caller, id: string): Promise<ReportRow> {
  const { asset_id, workspace_id } = await getReport(tx, caller, id);
  if (asset_id !== null) await getAssetId(tx, caller, asset_id, { lock: true });
  else await getWorkspace(tx, caller, workspace_id ?? "", "workspace_id", { lock: true });
  await tx.query(
    "SELECT 1 FROM problem_reports WHERE organization_id = $1 AND id = $2 FOR UPDATE",
    [caller.organizationId, id],
  );
  const report = await getReport(tx, caller, id);
  if (report.status !== "open") {
    throw new AppError("conflict", "report_closed", { by: report.closed_by ?? "someone" });
  }
  return report;
}

type NewOutcome = Pick<ProblemReport, "status"> &
  Partial<Pick<ProblemReport, "task_id" | "merged_into" | "answer">>;

async function carryOut(
  tx: Tx,
  caller: Caller,
  report: ReportRow,
  decision: Decision,
): Promise<NewOutcome> {
  switch (decision.kind) {
    case "accept": {
      const { asset_id, workspace_id } = report;
      const { task } = await createTask(tx, caller, {
        ...omit(decision, "kind"),
        ...(asset_id === null ? { workspace_id: workspace_id ?? "" } : { asset_id }),
        description: report.description,
        type: "corrective",
      });
      return { status: "accepted", task_id: task.id };
    }
    case "merge":
      return merge(tx, caller, report, decision.into);
    case "answer":
    case "refuse": {
      const field = decision.kind === "answer" ? "answer" : "reason";
      const rule = { field, max: maxAnswer, multiline: true };
      const answer = cleanText(decision.answer, rule);
      if (decision.restore) await giveBack(tx, caller, report);
      return { status: decision.kind === "answer" ? "answered" : "refused", answer };
    }
  }
}

async function merge(tx: Tx, caller: Caller, report: ReportRow, into: string): Promise<NewOutcome> {
  const targets = await findMergeTargets(tx, caller, report);
  const isKnown = [...targets.tasks, ...targets.reports].some(({ id }) => id === into);
  if (!isKnown) throw new AppError("validation_failed", "merged_into_nothing", { field: "into" });
  if (idKindOf(into) === "report") {
    const { organizationId: organization_id } = caller;
    // Reports merged into this one move along, and get the target's outcome.
    await tx.update(
      ProblemReport,
      { organization_id, merged_into: report.id },
      { merged_into: into },
    );
    // The asset's previous state moves along, too.
    const { state_before } = report;
    await tx.update(
      ProblemReport,
      { organization_id, id: into, state_before: IsNull() },
      { state_before },
    );
    return { status: "merged", merged_into: into };
  }
  const at = await momentOf(tx);
  await recordEvent(tx, caller, {
    type: "note_added",
    assetId: report.asset_id,
    taskId: into,
    workspaceId: report.workspace_id,
    occurredAt: at,
    recordedAt: at,
    note: `Also reported: ${Array.from(report.description).slice(0, 900).join("")}`,
  });
  return { status: "merged", task_id: into };
}

/** Restores the asset's state from before the report, unless it has changed since. */
async function giveBack(tx: Tx, caller: Caller, report: ReportRow): Promise<void> {
  const { state_before: state, asset_state, asset_id } = report;
  if (asset_id === null || state === null || asset_state !== "out_of_service") return;
  await changeAssetState(tx, caller, asset_id, { state });
}

/**
 * Moves photos of the report, and of reports merged into it, to the task, up to its file limit. The
 * others stay with their reports.
 */
async function passFilesOn(
  tx: Tx,
  { organizationId }: Caller,
  id: string,
  taskId: string,
): Promise<void> {
  await tx.query(
    `UPDATE files SET task_id = $3 WHERE organization_id = $1 AND id IN
       (SELECT f.id FROM files f JOIN problem_reports r
          ON r.organization_id = $1 AND r.id = f.report_id
        WHERE f.organization_id = $1 AND (r.id = $2 OR r.merged_into = $2)
        ORDER BY f.created_at, f.id
        LIMIT greatest(0, $4 - (SELECT count(*) FROM files t
          WHERE t.organization_id = $1 AND t.task_id = $3)))`,
    [organizationId, id, taskId, maxOfRecord],
  );
}
