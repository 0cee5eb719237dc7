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
    /** Null: the person was erased, and others' rows still refer to the id. */
    email: citext().nullable(),
    name: text(),
    /** Language and formats, as BCP 47 names them. */
    locale: text().default("en-GB"),
    /** Null: their clock goes as the organization's. */
    time_zone: text().nullable(),
    email_verified_at: instant().nullable(),
    last_login_at: instant().nullable(),
    created_at: instantNow(),
    /** Set: the person cannot sign in, and their tokens stop at once. */
    deactivated_at: instant().nullable(),
  },
  {
    uniques: [["email"]],
    checks: ["email", "name", "erased"],
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
    /** Used, or replaced by a newer link. */
    ended_at: instant().nullable(),
  },
  {
    indexes: { user_id: ["user_id"], expires_at: ["expires_at"] },
  },
);
export type PasswordReset = Row<typeof PasswordReset>;

/** A discoverable WebAuthn credential of a person. */
export const Passkey = table(
  "passkeys",
  {
    id: text().primary(),
    user_id: text().references("users", "CASCADE"),
    /** Base64url, as browsers name it. */
    credential_id: text(),
    public_key: bytes(),
    /** As the authenticator told last; stays 0 where it does not count. */
    sign_count: bigint(),
    transports: texts(),
    /** Whether it is kept in an account of its person, on several devices. */
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
  /** The time step of the last code that was taken; no code of it or before counts again. */
  last_step: integer(),
  created_at: instantNow(),
  last_used_at: instant().nullable(),
});
export type Authenticator = Row<typeof Authenticator>;

/** What stands in for a lost second factor; a used one is gone. */
export const RecoveryCode = table("recovery_codes", {
  user_id: text().primary().references("users", "CASCADE"),
  code_hash: bytes().primary(),
  created_at: instantNow(),
});
export type RecoveryCode = Row<typeof RecoveryCode>;

/** A WebAuthn challenge that was answered, until it would be too old anyway. */
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

/** An account that waits for its address to be verified. */
export const SignUp = table(
  "sign_ups",
  {
    token_hash: bytes().primary(),
    email: citext(),
    name: text(),
    organization_name: text(),
    /** NULL once used: the password belongs to the account from then on. */
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

/** The form that a person sent after their session had ended, until they sign in again. */
export const TypedForm = table(
  "typed_forms",
  {
    /** A person has one: the newest. */
    user_id: text().primary().references("users", "CASCADE"),
    content_encrypted: bytes(),
    created_at: instantNow(),
  },
  { indexes: { created_at: ["created_at"] } },
);
export type TypedForm = Row<typeof TypedForm>;
