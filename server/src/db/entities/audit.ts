import { bigint, bytes, instant, instantNow, json, text, oneOf } from "../columns.js";
import { table, type Row } from "../table.js";

/** Event types of the activity log. Pages have a text for each. */
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
  | "email_change_requested"
  | "email_changed"
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
  | "sso_required_started"
  | "sso_required_ended"
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
  | "working_time_changed"
  | "absence_added"
  | "absence_removed"
  | "workspace_created"
  | "workspace_updated"
  | "workspace_deleted"
  | "place_labels_added"
  | "place_label_revoked"
  | "task_link_created"
  | "task_link_revoked"
  | "procedure_added"
  | "procedure_changed"
  | "procedure_archived"
  | "procedure_restored"
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

/** Event types that a history search finds in addition to events of assets and tasks. */
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
    /** No foreign key, and none for `user_id`: entries never change. */
    organization_id: text().nullable(),
    user_id: text().nullable(),
    /** The name at the time of the event. */
    actor_name: text(),
    type: text<ActivityType>(),
    details: json().default({}),
    ip_address: text().nullable(),
    user_agent: text().nullable(),
    created_at: instantNow(),
    /**
     * Repeats are counted in this entry until then. Afterwards the entry gets its place in the
     * chain.
     */
    counted_until: instant().nullable(),
    /** Position in the chain of its organization, or of the server. Set by a trigger. */
    sequence: bigint().nullable(),
    hash: bytes().nullable(),
    /**
     * Digests of values that may name a person. The hash covers these digests. See `15-erasure.ts`.
     */
    digests: json<Record<string, string>>().nullable(),
    /** Salts of the digests. Deleted with an erased value. */
    salts: json<Record<string, string>>().nullable(),
  },
  {
    sqlIndexes: ["organization_id", "user_id", "created_at", "sequence", "counted_until"],
  },
);
export type ActivityEntry = Row<typeof ActivityEntry>;

/** The end of each activity log chain: one per organization, and the server's (`server`). */
export const AuditChain = table("audit_chains", {
  id: text().primary(),
  /** Number of entries ever added. */
  sequence: bigint(),
  hash: bytes(),
});

/** A signature over the hash of one entry, and therefore over the chain up to it. */
export const AuditCheckpoint = table("audit_checkpoints", {
  chain: text().primary(),
  sequence: bigint().primary(),
  /**
   * `end`: the chain ended there. `start`: the chain begins after this entry, because retention
   * removed earlier ones.
   */
  kind: oneOf(["end", "start"]).primary(),
  hash: bytes(),
  created_at: instant(),
  /** Ed25519 (RFC 8032), in base64url as in a JWK. */
  public_key: text(),
  signature: text(),
});
export type AuditCheckpoint = Row<typeof AuditCheckpoint>;
