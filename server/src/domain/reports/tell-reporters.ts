import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import type { MailCipher, ReportClosed } from "../messaging/mail-cipher.js";
import { mayQueueNotice, queueNotice } from "../messaging/outbox.js";
import { noteForMailing } from "../messaging/notify.js";
import type { JsonCipher } from "../shared/encryption.js";
import { writeReportLink } from "./report-links.js";
import { reportSiteJoins, reportSiteName } from "./report-sites.js";

export interface ReportServices {
  mails: MailCipher;
  secrets: JsonCipher;
}

function outcomeUrl(
  baseUrl: string,
  secrets: JsonCipher,
  { code, ...link }: { organizationId: string; reportId: string; code: string },
): string {
  return `${baseUrl}/q/${code}/report/${writeReportLink(secrets, link)}`;
}

/** For people without an account. Like the limit for invitations, it prevents mass email. */
const maxMailsADay = 500;

/**
 * Notifies members according to their preferences, and others if they gave an address. Includes
 * reports merged into the closed one.
 */
export async function tellReporters(
  tx: Tx,
  caller: Caller,
  { mails, secrets }: ReportServices,
  id: string,
): Promise<void> {
  const { organizationId, organizationName: organization, baseUrl } = caller;
  const rows = await tx.query<
    Omit<ReportClosed, "kind" | "organization" | "link"> & {
      id: string;
      recipient: string;
      code: string;
    }
  >(
    `SELECT r.id, r.email::text AS recipient, ${reportSiteName} AS asset, coalesce(a.qr_token, p.qr_token) AS code,
       closed.status AS outcome, closed.answer
     FROM problem_reports closed
     JOIN problem_reports r ON r.organization_id = closed.organization_id
       AND closed.id IN (r.id, r.merged_into)
     ${reportSiteJoins("r")}
     WHERE closed.organization_id = $1 AND closed.id = $2 AND r.email IS NOT NULL`,
    [organizationId, id],
  );
  await noteOwnReports(tx, caller, id);
  const sent = await countMailsOfDay(tx, caller);
  for (const { id: reportId, recipient, code, ...report } of rows.slice(0, maxMailsADay - sent)) {
    if (!(await mayQueueNotice(tx, recipient, ["report_closed"]))) continue;
    const link = outcomeUrl(baseUrl, secrets, { organizationId, reportId, code });
    const notice: ReportClosed = { kind: "report_closed", organization, link, ...report };
    await queueNotice(tx, mails, { recipient, notice, organizationId });
  }
}

async function countMailsOfDay(tx: Tx, { organizationId }: Caller): Promise<number> {
  const row = await tx.maybe<{ sent: number }>(
    `SELECT least(count(*), ${maxMailsADay})::int AS sent FROM mail_outbox
     WHERE organization_id = $1 AND invite_id IS NULL AND kind = 'report_closed'
       AND created_at > app_now() - interval '1 day'`,
    [organizationId],
  );
  return row?.sent ?? 0;
}

async function noteOwnReports(
  tx: Tx,
  { organizationId, userId: decidedBy }: Caller,
  id: string,
): Promise<void> {
  const rows = await tx.query<{ id: string; reported_by: string }>(
    `SELECT id, reported_by FROM problem_reports
     WHERE organization_id = $1 AND $2 IN (id, merged_into) AND reported_by <> $3 ORDER BY id`,
    [organizationId, id, decidedBy],
  );
  const notes = rows.map((row) => ({ userId: row.reported_by, subject: row.id }));
  await noteForMailing(tx, organizationId, "report_answered", notes);
}
