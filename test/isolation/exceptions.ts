import type { RecordedStatement } from "../support/recorded-statements.js";
import type { Lookup } from "./tenant-check.js";

/** A case in which a statement may find rows of an organization that it does not name. */
interface Exception {
  reason: string;
  /** Sources below `server/src/` for which it holds. Default: all. */
  from?: string[];
  /** Limits it to these statements. */
  only?: RegExp;
  /** Allowed lookup columns, as `table.column`. Without them, statements aren't checked. */
  by?: string[];
}

const exceptions: Exception[] = [
  {
    reason: "Only who was given the secret has the value; the organization is what it stands for.",
    // After the look-up the organization is known.
    only: /^(?!.*\borganization_id"? = \$)/,
    by: [
      "invites.token_hash",
      "oauth_access_tokens.token_hash",
      "oauth_authorization_codes.code_hash",
      "oauth_refresh_tokens.token_hash",
    ],
  },
  {
    reason: "A person's own connection, or one into the organization that the caller administers.",
    from: ["domain/oauth/connections"],
    only: /WHERE c\.id = \$2 AND \(c\.user_id = \$1 OR c\.organization_id = \$3\)$/,
    by: ["oauth_connections.id"],
  },
  {
    reason: "People choose among their own organizations, and see all their own connections.",
    from: [
      "domain/organizations/organizations",
      "domain/oauth/connections",
      "domain/accounts/factor-changes",
      // Uses the domain's statements.
      "web/settings/apps",
    ],
    only: /^SELECT /,
    by: ["organization_members.user_id", "oauth_connections.user_id"],
  },
  {
    reason: "A session makes its person active in all of their organizations.",
    from: ["domain/accounts/sessions"],
    only: /^WITH (used AS \(UPDATE sessions SET .* WHERE id_hash = \$1 .* RETURNING user_id\)|free AS \(SELECT .* WHERE m\.user_id = \$1 )/,
  },
  {
    reason: "Signing out everywhere ends the person's calendar addresses in all organizations.",
    from: ["domain/accounts/sessions"],
    by: ["calendar_feeds.user_id"],
  },
  {
    reason: "A person without second factors lacks them in all organizations that require one.",
    from: ["domain/accounts/second-factors"],
    by: ["organization_members.user_id"],
  },
  {
    reason: "An email belongs to no organization. The provider of any of the person's decides it.",
    from: ["domain/accounts/email-changes"],
    by: ["provider_identities.user_id"],
  },
  {
    reason: "A person's own sign-ins, counted where they have no organization yet.",
    from: ["domain/audit/counted-activity"],
    by: ["activity_log.user_id"],
  },
  {
    reason: "The log of a person's account actions belongs to no organization.",
    from: ["domain/audit/activity-queries"],
    by: ["activity_log.user_id", "organization_members.user_id"],
  },
  {
    reason: "The same, for the members of one organization while they were members.",
    from: ["domain/audit/activity-queries"],
    only: / UNION ALL \(SELECT l\.\* FROM organization_members m CROSS JOIN LATERAL /,
  },
  {
    reason:
      "A verified domain of an address says which organization it is, before anybody is known.",
    from: [
      "domain/accounts/sso-required",
      "domain/accounts/provider-sign-ins",
      "domain/accounts/password-resets",
      "domain/accounts/sessions",
    ],
    only: / d\.domain = lower\(split_part\(\S+::text, '@', 2\)\) AND d\.verified_at IS NOT NULL(?! AND d\.organization_id)/,
  },
  {
    reason: "The start encrypts the secrets of all anew with the newest key.",
    from: ["domain/shared/renew-secrets"],
    only: /^SELECT .* FROM (identity_providers|webhooks)$/,
  },
  {
    reason: "A chain is named by its organization or 'server', which no column alone says.",
    from: ["domain/audit/"],
  },
  {
    reason: "Mails about an account belong to no organization.",
    from: ["domain/messaging/outbox"],
    by: ["mail_outbox.recipient"],
  },
  {
    reason: "The operator's figures are of the mails of all.",
    from: ["domain/messaging/outbox"],
    only: /^SELECT count\(\*\)::int AS waiting, /,
  },
  {
    reason: "Mails about work are written for all, each within its organization.",
    from: ["domain/messaging/notification-queue"],
    only: /^SELECT organization_id, user_id, kind FROM notifications WHERE queued_at IS NULL /,
  },
  {
    reason:
      "A person's own sample organization, and those that were given up, which go as a whole.",
    from: ["demo/own-sample"],
    only: /^SELECT id, name, slug, sample_percent|^SELECT o\.id FROM organizations o LEFT JOIN users/,
  },
  {
    reason: "The same, for the organizations where it is morning.",
    from: ["domain/messaging/mornings"],
    only: /^SELECT o\.id, l\.at::date::text AS today, /,
  },
  {
    reason: "The sender of webhooks takes what is due of all; then it knows whose it is.",
    from: ["domain/messaging/webhook-deliveries"],
    only: /^UPDATE webhooks SET busy_until = \S+ \+ interval '1 minute' WHERE \(organization_id, id\) = /,
  },
  { reason: "The sender takes the mails of all.", from: ["domain/messaging/mail-deliveries"] },
  { reason: "So does that of push messages.", from: ["domain/messaging/push-deliveries"] },
  {
    reason: "Calls of all are written together, but for those of organizations that are gone.",
    from: ["domain/audit/tool-calls"],
    only: /^INSERT INTO tool_call_log /,
  },
  {
    reason: "Expired rows of all organizations are deleted together.",
    from: ["domain/history/batches"],
  },
  {
    reason: "Expired connections are found together. Each is ended within its organization.",
    from: ["domain/oauth/connections-ended"],
    only: /^SELECT organization_id, id FROM oauth_connections WHERE revoked_at IS NULL AND expires_at/,
  },
  {
    reason: "Ended memberships are found together. Each is ended within its organization.",
    from: ["domain/people/access-end"],
    only: /^SELECT m\.organization_id, m\.user_id, u\.name FROM organization_members m /,
  },
  {
    reason: "People without an account have a label's code, which tells the organization.",
    from: ["domain/reports/public-labels"],
    by: ["assets.qr_token", "place_labels.qr_token"],
  },
  { reason: "So do objects of no file.", from: ["domain/files/file-objects"] },
  {
    reason: "Migrations change the schema for all.",
    from: ["db/functions", "db/migrat", "plugins/health", "plugins/database-gauges"],
  },
  { reason: "The figures of all are summed up.", from: ["domain/insight/roll-up-figures"] },
  {
    reason: "The embedded database is vacuumed table by table.",
    from: ["db/vacuum"],
    only: /^VACUUM \(ANALYZE\) \w+$/,
  },
  { reason: "A back-up holds all organizations.", from: ["db/backup/"] },
  {
    reason: "The operator's command line exports one organization, or one person from all of them.",
    from: ["domain/exchange/archive", "domain/exchange/data-export"],
  },
  {
    reason:
      "The operator's command line erases a person from all organizations, or one organization.",
    from: [
      "domain/organizations/organization-deletion",
      "domain/people/history-names",
      "domain/people/log-erasure",
      "domain/people/person-erasure",
      "domain/people/stored-values",
    ],
  },
  {
    reason: "Sample data brings a function of its own session, and is analyzed.",
    from: ["demo/"],
    only: /^(ANALYZE |CREATE OR REPLACE FUNCTION pg_temp\.)/,
  },
  {
    reason: "The operator's command line names organizations.",
    from: ["domain/organizations/organizations"],
    only: /^SELECT id, name, slug FROM organizations WHERE (\$1 IN \(id, slug\) OR )?lower\(name\) = lower\(\$1\)/,
  },
  {
    reason: "The operator's command line lists all organizations, or their connections and mails.",
    from: ["domain/organizations/organizations", "domain/oauth/operator-connections"],
    only: /^SELECT o\.id AS organization_id, .* FROM organizations o ORDER BY|^SELECT c\.id AS connection_id, /,
  },
  {
    reason: "The operator's command line ends what a person or an organization approved.",
    from: ["domain/oauth/authorization-codes"],
    only: /^DELETE FROM oauth_authorization_codes WHERE consumed_at IS NULL AND \(\$1::text IS NULL /,
  },
  { reason: "The same, and sends these mails again.", from: ["domain/messaging/operator-mails"] },
  {
    reason: "The operator's command line lists accounts with their organizations.",
    from: ["domain/accounts/accounts"],
    only: / FROM users u WHERE u\.email IS NOT NULL ORDER BY u\.email$/,
  },
];

/** Returns a check of allowed lookups for a statement, or undefined if it isn't checked. */
export function allowedLookups({
  text,
  from,
}: RecordedStatement): ((lookup: Lookup) => boolean) | undefined {
  const plain = text.replace(/\s+/g, " ").trim();
  const holding = exceptions.filter(
    ({ from: places, only }) =>
      places?.some((place) => from.startsWith(`server/src/${place}`)) !== false &&
      only?.test(plain) !== false,
  );
  if (holding.some(({ by }) => by === undefined)) return undefined;
  return ({ table, column }) => holding.some(({ by }) => by?.includes(`${table}.${column}`));
}
