-- Sign-up, sign-in, second factors, and identity providers. Secrets are stored as hashes.

CREATE TABLE sessions (
  id_hash bytea PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  data jsonb NOT NULL DEFAULT '{}',
  user_agent text,
  ip_address text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  last_used_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_last_used_at_idx ON sessions (last_used_at);

CREATE TABLE setup_links (
  token_hash bytea PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT app_now()
);

CREATE TABLE sign_ups (
  token_hash bytea PRIMARY KEY,
  email citext NOT NULL CHECK (char_length(email::text) <= 254),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  organization_name text NOT NULL CHECK (char_length(organization_name) BETWEEN 1 AND 120),
  password_hash text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  time_zone text NOT NULL DEFAULT 'UTC'
    CHECK (timestamptz 'epoch' AT TIME ZONE time_zone IS NOT NULL),
  currency char(3) NOT NULL DEFAULT 'USD',
  locale text NOT NULL DEFAULT 'en-GB',
  -- After sign-up, only the account stores the password hash.
  CONSTRAINT sign_ups_used_check CHECK ((used_at IS NULL) = (password_hash IS NOT NULL))
);
CREATE INDEX sign_ups_expires_at_idx ON sign_ups (expires_at);

CREATE TABLE password_resets (
  token_hash bytea PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz NOT NULL,
  -- Set when the link is used or replaced by a newer one.
  ended_at timestamptz
);
CREATE INDEX password_resets_user_id_idx ON password_resets (user_id);
CREATE INDEX password_resets_expires_at_idx ON password_resets (expires_at);

CREATE TABLE email_changes (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  new_email citext NOT NULL,
  old_token_hash bytea NOT NULL UNIQUE,
  new_token_hash bytea NOT NULL UNIQUE,
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX email_changes_expires_at_idx ON email_changes (expires_at);

CREATE TABLE authenticators (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret_encrypted bytea NOT NULL,
  last_step integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
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
  created_at timestamptz NOT NULL DEFAULT app_now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_user_id_idx ON passkeys (user_id);

CREATE TABLE recovery_codes (
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE spent_challenges (
  challenge_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX spent_challenges_expires_at_idx ON spent_challenges (expires_at);

CREATE TABLE identity_providers (
  organization_id text PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  issuer text NOT NULL CHECK (issuer LIKE 'https://%' AND char_length(issuer) <= 500),
  client_id text NOT NULL CHECK (char_length(client_id) BETWEEN 1 AND 300),
  client_secret_encrypted bytea NOT NULL,
  verifies_addresses boolean NOT NULL DEFAULT false,
  sso_required boolean NOT NULL DEFAULT false,
  break_glass_owner_id text REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now()
);

CREATE TABLE identity_provider_domains (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  domain text NOT NULL CHECK (domain = lower(domain) AND char_length(domain) BETWEEN 3 AND 253),
  challenge text NOT NULL,
  verified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (organization_id, domain)
);
-- Several organizations may claim a domain until one of them verifies it.
CREATE INDEX identity_provider_domains_verified_idx ON identity_provider_domains (domain)
  WHERE verified_at IS NOT NULL;

CREATE TABLE provider_identities (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  issuer text NOT NULL,
  subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  multi_factor boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  last_used_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (organization_id, issuer, subject),
  UNIQUE (user_id, organization_id, issuer)
);

CREATE TABLE typed_forms (
  user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  content_encrypted bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX typed_forms_created_at_idx ON typed_forms (created_at);
