import type { Caller } from "../../server/src/domain/access/caller.js";
import type { CommentOfSubject } from "../../server/src/domain/comments/find-comments.js";
import type { Notice, SecondFactorChange } from "../../server/src/domain/messaging/mail-cipher.js";
import type { LetterTask } from "../../server/src/domain/messaging/notification-letters.js";
import type { MailContent } from "../../server/src/mail/email.js";
import { composeInvitation } from "../../server/src/mail/invitation-mail.js";
import { composeLetter } from "../../server/src/mail/letter-mail.js";
import { composeNotice } from "../../server/src/mail/notice-mail.js";

export const secondFactorChanges: readonly SecondFactorChange[] = [
  "authenticator_added",
  "authenticator_removed",
  "passkey_added",
  "passkey_removed",
  "passkey_copied",
  "recovery_codes_made",
  "recovery_code_used",
  "second_factors_reset",
];

const site = "https://fettle.example.com";
const link = `${site}/x/token`;
const unsubscribe = `${site}/unsubscribe/token`;

/** User-entered text in the samples. */
export interface Typed {
  person: string;
  organization: string;
  thing: string;
  words: string;
}

/** One sample of every email kind, by name. */
export function everyEmail(typed: Typed): Record<string, () => MailContent> {
  const { person, organization, thing, words } = typed;
  const tasks = [aTask(1, typed), aTask(2, typed), aTask(3, typed)];
  const reader = toReader(organization);
  const assigned = (total: number) => ({ tasks: tasks.slice(0, total), total });
  const done = (total: number) => ({
    ...assigned(total),
    contractors: new Map(tasks.map(({ id }) => [id, person])),
    note: total === 1 ? words : undefined,
  });
  const letter = (more: object) => () =>
    composeLetter({ reader, ...more } as Parameters<typeof composeLetter>[0], unsubscribe);
  const notice = (one: Notice) => () => composeNotice(one);
  const report = { asset: thing, organization, answer: words, link };
  const figures = { overdue: 12, due_in_7_days: 5, unassigned: 3, completed: 1800 };
  const security = `${site}/settings/security`;
  const invitation = {
    ...{ link, organization, inviter: person, message: words },
    ...{ expiresAt: "2026-12-06T10:30:00Z", timeZone: "Europe/Berlin" },
  };
  const changes = secondFactorChanges.map((change) => [
    change,
    notice({ kind: "second_factor_changed", change, name: thing, security }),
  ]);
  return {
    "invitation to a workspace": () => composeInvitation({ ...invitation, workspace: thing }),
    "invitation to the organization": () => composeInvitation(invitation),
    "password reset": notice({ kind: "password_reset", link }),
    "sign-up": notice({ kind: "sign_up", link }),
    "account exists": notice({ kind: "account_exists", signIn: link, forgot: `${link}2` }),
    "new email": notice({ kind: "email_change", side: "new", email: "n@example.com", link }),
    "approval of a new email": notice({
      ...{ kind: "email_change", side: "old", email: "n@example.com", link },
    }),
    "connection ended": notice({ kind: "connection_ended", app: thing, organization, apps: link }),
    "only way ended": notice({
      ...{ kind: "sso_required_ended", organization, by: person, settings: link },
    }),
    "wrong codes": notice({ kind: "second_factor_guessed", security }),
    "job for a contractor": notice({
      ...{ kind: "task_link", organization, by: person, task: thing, link, timeZone: "UTC" },
      expiresAt: "2026-12-07T12:00:00Z",
    }),
    "job sent back": notice({
      ...{ kind: "task_sent_back", organization, by: person, task: thing, timeZone: "UTC" },
      ...{ link, reason: words, expiresAt: "2026-12-07T12:00:00Z" },
    }),
    "closed report": notice({ kind: "report_closed", outcome: "answered", ...report }),
    "accepted report": notice({
      ...report,
      kind: "report_closed",
      outcome: "accepted",
      answer: null,
    }),
    "assigned task": letter({ kind: "assigned", assigned: assigned(1) }),
    "assigned tasks": letter({ kind: "assigned", assigned: { tasks, total: 30 } }),
    comment: letter({ kind: "comment", comments: [aComment(typed)] }),
    comments: letter({ kind: "comment", comments: [aComment(typed), aComment(typed)] }),
    reminder: letter({ kind: "reminder", dueTomorrow: assigned(2), overdue: assigned(3) }),
    "reminder of tomorrow": letter({
      ...{ kind: "reminder", dueTomorrow: assigned(1), overdue: assigned(0) },
    }),
    "reminder of overdue tasks": letter({
      ...{ kind: "reminder", dueTomorrow: assigned(0), overdue: assigned(1) },
    }),
    "answered report": letter({
      kind: "report_answered",
      reports: [{ asset: thing, status: "answered", answer: words }],
    }),
    "answered reports": letter({
      kind: "report_answered",
      reports: [
        { asset: thing, status: "answered", answer: words },
        { asset: thing, status: "refused", answer: null },
      ],
    }),
    "work marked as done": letter({ kind: "contractor_done", done: done(1) }),
    "several marked as done": letter({ kind: "contractor_done", done: done(3) }),
    digest: letter({ kind: "weekly_digest", figures, overdue: { tasks, total: 12 } }),
    "digest without overdue tasks": letter({
      ...{ kind: "weekly_digest", figures: { ...figures, overdue: 0 }, overdue: assigned(0) },
    }),
    ...(Object.fromEntries(changes) as Record<string, () => MailContent>),
  };
}

function aTask(number: number, { person, thing, words }: Typed): LetterTask {
  return {
    id: `tsk_${number}`,
    task_number: `T-${number}`,
    title: words.replaceAll("\n", " "),
    due_date: number === 3 ? null : "2026-11-05",
    days_overdue: number === 1 ? 24 : null,
    asset_name: number === 2 ? null : thing,
    workspace_name: thing,
    assigned_to: number === 2 ? null : person,
    assigned_by: person,
  };
}

function aComment({ person, thing, words }: Typed): CommentOfSubject {
  return {
    ...{ id: "cmt_1", asset_id: null, task_id: "tsk_1", subject: thing, author: person },
    ...{ text: words, created_at: new Date(0) },
  };
}

function toReader(organizationName: string): Caller {
  return {
    ...{ userId: "usr_1", userName: "Ana", userEmail: "ana@example.com", organizationName },
    ...{ organizationId: "org_1", organizationRole: "owner", timeZone: "UTC", currency: "EUR" },
    ...{ accessEpoch: 1, memberVersion: "1", source: "web", requestId: "req_1", baseUrl: site },
  };
}

/** A text without its line breaks. */
export function unwrap(text: string | undefined): string {
  return (text ?? "").replace(/\s+/g, " ");
}
