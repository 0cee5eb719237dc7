import { bigint, bytes, instant, instantNow, json, text, oneOf } from "../columns.js";
import { table, type Row } from "../table.js";

/** What the log tells of; the pages have words for each. */
export type ActivityType =
  | "account_created"
  | "signed_in"
  | "sign_in_failed"
  | "signed_out"
  | "account_deactivated"
  | "person_erased"
  | "account_activated"
  | "email_verified"
  | "name_changed"
  | "password_changed"
  | "password_reset_requested"
  | "password_reset"
  | "second_factor_failed"
  | "authenticator_added"
  | "authenticator_removed"
  | "passkey_added"
  | "passkey_removed"
  | "passkey_copied"
  | "recovery_code_used"
  | "recovery_codes_made"
  | "second_factors_reset"
  | "second_factor_rules_changed"
  | "deletion_rule_changed"
  | "identity_provider_saved"
  | "identity_provider_removed"
  | "sign_in_domain_verified"
  | "sign_in_domain_removed"
  | "only_way_started"
  | "only_way_ended"
  | "provider_identity_bound"
  | "provider_identity_released"
  | "organization_created"
  | "organization_updated"
  | "organization_closed"
  | "organization_deleted"
  | "member_added"
  | "member_removed"
  | "role_changed"
  | "access_end_changed"
  | "workspace_created"
  | "workspace_updated"
  | "workspace_deleted"
  | "workspace_member_added"
  | "workspace_role_changed"
  | "asset_force_deleted"
  | "invite_sent"
  | "invite_resent"
  | "invite_withdrawn"
  | "invite_accepted"
  | "app_connected"
  | "app_denied"
  | "app_disconnected"
  | "refresh_reuse"
  | "calendar_address_made"
  | "calendar_address_revoked"
  | "webhook_added"
  | "webhook_changed"
  | "webhook_stopped"
  | "webhook_resumed"
  | "webhook_removed"
  | "webhook_failed"
  | "audit_exported"
  | "organization_exported";

/** Those that a search of the history finds beside what happened to assets and tasks. */
export const organizationEventTypes = [
  "member_added",
  "member_removed",
  "role_changed",
  "workspace_member_added",
  "workspace_role_changed",
  "workspace_created",
  "workspace_updated",
  "workspace_deleted",
  "asset_force_deleted",
] as const satisfies readonly ActivityType[];
export type OrganizationEventType = (typeof organizationEventTypes)[number];

export const ActivityEntry = table(
  "activity_log",
  {
    id: bigint().primary().generated(),
    /** Like `user_id` without a foreign key: what was written stays as it is. */
    organization_id: text().nullable(),
    user_id: text().nullable(),
    /** As it was then. */
    actor_name: text(),
    type: text<ActivityType>(),
    details: json().default({}),
    ip_address: text().nullable(),
    user_agent: text().nullable(),
    created_at: instantNow(),
    /** The same again is counted in it until then; afterwards it gets its place in the chain. */
    counted_until: instant().nullable(),
    /** Its place in the chain of its organization, or of the server; set by a trigger. */
    sequence: bigint().nullable(),
    hash: bytes().nullable(),
    /** Of each value that may name a person, by what the hash covers it; see `15-erasure.ts`. */
    digests: json<Record<string, string>>().nullable(),
    /** What each of these was made with; gone with the value that was erased. */
    salts: json<Record<string, string>>().nullable(),
  },
  {
    sqlIndexes: ["organization_id", "user_id", "created_at", "sequence", "counted_until"],
  },
);
export type ActivityEntry = Row<typeof ActivityEntry>;

/** Where the chain of an organization's activity log ends, and that of the server (`server`). */
export const AuditChain = table("audit_chains", {
  id: text().primary(),
  /** How many entries it ever got. */
  sequence: bigint(),
  hash: bytes(),
});

/** A signature over the hash of one entry, and so over the chain up to there. */
export const AuditCheckpoint = table("audit_checkpoints", {
  chain: text().primary(),
  sequence: bigint().primary(),
  /** `end`: the chain ended there. `start`: it begins after that, as retention removed the entries. */
  kind: oneOf(["end", "start"]).primary(),
  hash: bytes(),
  created_at: instant(),
  /** Ed25519 (RFC 8032), in base64url as in a JWK. */
  public_key: text(),
  signature: text(),
});
export type AuditCheckpoint = Row<typeof AuditCheckpoint>;
