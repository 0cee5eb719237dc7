import {
  citext,
  instant,
  instantNow,
  text,
  bytes,
  bigint,
  flag,
  texts,
  integer,
  json,
  currency,
} from "../columns.js";
import { table, type Row } from "../table.js";

export const User = table(
  "users",
  {
    id: text().primary(),
    /** Null: the person was erased. Other rows still refer to the id. */
    email: citext().nullable(),
    name: text(),
    job_title: text().nullable(),
    /** BCP 47 tag for the language and formats. */
    locale: text().default("en-GB"),
    /** Null: the organization's time zone applies. */
    time_zone: text().nullable(),
    email_verified_at: instant().nullable(),
    last_login_at: instant().nullable(),
    created_at: instantNow(),
    /** Set: the person can't sign in, and their tokens stop working immediately. */
    deactivated_at: instant().nullable(),
  },
  {
    uniques: [["email"]],
    checks: ["email", "name", "job_title", "erased"],
  },
);
export type User = Row<typeof User>;

export const UserPassword = table("user_passwords", {
  user_id: text().primary().references("users", "CASCADE"),
  password_hash: text(),
  changed_at: instantNow(),
});
export type UserPassword = Row<typeof UserPassword>;

export const PasswordReset = table(
  "password_resets",
  {
    token_hash: bytes().primary(),
    user_id: text().references("users", "CASCADE"),
    created_at: instantNow(),
    expires_at: instant(),
    /** Set when the link is used or a newer link replaces it. */
    ended_at: instant().nullable(),
  },
  {
    indexes: { user_id: ["user_id"], expires_at: ["expires_at"] },
  },
);
export type PasswordReset = Row<typeof PasswordReset>;

/** A new email that waits for the confirmation of both addresses. One per person, the newest. */
export const EmailChange = table(
  "email_changes",
  {
    user_id: text().primary().references("users", "CASCADE"),
    new_email: citext(),
    old_token_hash: bytes(),
    new_token_hash: bytes(),
    old_confirmed_at: instant().nullable(),
    new_confirmed_at: instant().nullable(),
    created_at: instantNow(),
    expires_at: instant(),
  },
  {
    uniques: [["old_token_hash"], ["new_token_hash"]],
    indexes: { expires_at: ["expires_at"] },
  },
);
export type EmailChange = Row<typeof EmailChange>;

/** A discoverable WebAuthn credential of a person. */
export const Passkey = table(
  "passkeys",
  {
    id: text().primary(),
    user_id: text().references("users", "CASCADE"),
    /** Base64url, as in browsers. */
    credential_id: text(),
    public_key: bytes(),
    /** The authenticator's last counter. Stays 0 if the authenticator doesn't count. */
    sign_count: bigint(),
    transports: texts(),
    /**
     * True if the passkey is synced to an account of the person and available on several devices.
     */
    backed_up: flag(),
    name: text(),
    created_at: instantNow(),
    last_used_at: instant().nullable(),
  },
  {
    uniques: [["credential_id"]],
    indexes: { user_id: ["user_id"] },
    checks: ["name"],
  },
);
export type Passkey = Row<typeof Passkey>;

/** The authenticator app of a person (TOTP, RFC 6238). */
export const Authenticator = table("authenticators", {
  user_id: text().primary().references("users", "CASCADE"),
  secret_encrypted: bytes(),
  /** Time step of the last accepted code. This code and earlier ones are rejected. */
  last_step: integer(),
  created_at: instantNow(),
  last_used_at: instant().nullable(),
});
export type Authenticator = Row<typeof Authenticator>;

/** Replaces a lost second factor. Deleted when used. */
export const RecoveryCode = table("recovery_codes", {
  user_id: text().primary().references("users", "CASCADE"),
  code_hash: bytes().primary(),
  created_at: instantNow(),
});
export type RecoveryCode = Row<typeof RecoveryCode>;

/** An answered WebAuthn challenge, stored until it would have expired. */
export const SpentChallenge = table(
  "spent_challenges",
  {
    challenge_hash: bytes().primary(),
    expires_at: instant(),
  },
  { indexes: { expires_at: ["expires_at"] } },
);
export type SpentChallenge = Row<typeof SpentChallenge>;

export const Session = table(
  "sessions",
  {
    id_hash: bytes().primary(),
    user_id: text().references("users", "CASCADE"),
    data: json().default({}),
    user_agent: text().nullable(),
    ip_address: text().nullable(),
    created_at: instantNow(),
    last_used_at: instantNow(),
  },
  {
    indexes: { user_id: ["user_id"], last_used_at: ["last_used_at"] },
  },
);
export type Session = Row<typeof Session>;

export const SetupLink = table("setup_links", {
  token_hash: bytes().primary(),
  created_at: instantNow(),
});
export type SetupLink = Row<typeof SetupLink>;

/** A new account whose address isn't verified yet. */
export const SignUp = table(
  "sign_ups",
  {
    token_hash: bytes().primary(),
    email: citext(),
    name: text(),
    organization_name: text(),
    /** Null once used. The password then belongs to the account. */
    password_hash: text().nullable(),
    time_zone: text().default("UTC"),
    currency: currency().default("USD"),
    locale: text().default("en-GB"),
    created_at: instantNow(),
    expires_at: instant(),
    used_at: instant().nullable(),
  },
  {
    indexes: { expires_at: ["expires_at"] },
    checks: ["email", "name", "organization_name", "time_zone", "used"],
  },
);
export type SignUp = Row<typeof SignUp>;

/** A form that a person sent after their session ended, stored until they sign in again. */
export const TypedForm = table(
  "typed_forms",
  {
    /** One form per person, the newest. */
    user_id: text().primary().references("users", "CASCADE"),
    content_encrypted: bytes(),
    created_at: instantNow(),
  },
  { indexes: { created_at: ["created_at"] } },
);
export type TypedForm = Row<typeof TypedForm>;
