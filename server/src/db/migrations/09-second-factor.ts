/** Second factors and passkeys of people, and the organizations that ask for them. */
export const secondFactor = `
CREATE TABLE authenticators (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret_encrypted bytea NOT NULL,
  last_step integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  last_used_at timestamptz
);

CREATE TABLE passkeys (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  backed_up boolean NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_user_id_idx ON passkeys (user_id);

CREATE TABLE recovery_codes (
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE spent_challenges (
  challenge_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX spent_challenges_expires_at_idx ON spent_challenges (expires_at);

ALTER TABLE organizations
  ADD COLUMN admins_need_second_factor boolean NOT NULL DEFAULT false,
  ADD COLUMN destructive_needs_second_factor boolean NOT NULL DEFAULT false;
`;
