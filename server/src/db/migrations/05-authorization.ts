/**
 * Browser sessions, links that make or recover an account, OAuth clients, and the connections they
 * hold. Secrets are stored as hashes.
 */
export const authorization = `
CREATE TABLE sessions (
  id_hash bytea PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  data jsonb NOT NULL DEFAULT '{}',
  user_agent text,
  ip_address text,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  last_used_at timestamptz NOT NULL DEFAULT fettle_now()
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_last_used_at_idx ON sessions (last_used_at);

CREATE TABLE setup_links (
  token_hash bytea PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT fettle_now()
);

CREATE TABLE sign_ups (
  token_hash bytea PRIMARY KEY,
  email citext NOT NULL CHECK (char_length(email::text) <= 254),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  organization_name text NOT NULL CHECK (char_length(organization_name) BETWEEN 1 AND 120),
  password_hash text,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  -- The password belongs to the account from then on.
  CONSTRAINT sign_ups_used_check CHECK ((used_at IS NULL) = (password_hash IS NOT NULL))
);
CREATE INDEX sign_ups_expires_at_idx ON sign_ups (expires_at);

CREATE TABLE password_resets (
  token_hash bytea PRIMARY KEY,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  expires_at timestamptz NOT NULL,
  -- Used, or replaced by a newer link.
  ended_at timestamptz
);
CREATE INDEX password_resets_user_id_idx ON password_resets (user_id);
CREATE INDEX password_resets_expires_at_idx ON password_resets (expires_at);

CREATE TABLE oauth_clients (
  id text PRIMARY KEY,
  secret_hash bytea,
  name text,
  redirect_uris text[] NOT NULL,
  grant_types text[] NOT NULL,
  token_endpoint_auth_method text NOT NULL CONSTRAINT oauth_clients_auth_method_check CHECK
    (token_endpoint_auth_method IN ('none', 'client_secret_basic', 'client_secret_post')),
  application_type text,
  scope text,
  client_uri text,
  logo_uri text,
  tos_uri text,
  policy_uri text,
  contacts text[],
  software_id text,
  software_version text,
  built_in boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  first_consented_at timestamptz,
  -- Of a client whose id is the address of its metadata document: when to read it again.
  metadata_expires_at timestamptz,
  CONSTRAINT oauth_clients_secret_check
    CHECK ((token_endpoint_auth_method = 'none') = (secret_hash IS NULL))
);
CREATE INDEX oauth_clients_unused_idx ON oauth_clients (created_at) WHERE first_consented_at IS NULL;

INSERT INTO oauth_clients
  (id, name, redirect_uris, grant_types, token_endpoint_auth_method, application_type, built_in)
VALUES ('fettle-bridge', 'fettle-bridge', '{http://127.0.0.1/callback}',
  '{authorization_code,refresh_token}', 'none', 'native', true);

CREATE TABLE oauth_authorization_requests (
  id text PRIMARY KEY,
  session_hash bytea NOT NULL,
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  client_id text NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  redirect_uri text NOT NULL,
  redirect_uri_given boolean NOT NULL,
  state text,
  code_challenge text NOT NULL,
  resource text NOT NULL,
  requested_scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  decided_at timestamptz
);
CREATE INDEX oauth_authorization_requests_created_at_idx ON oauth_authorization_requests (created_at);
CREATE INDEX oauth_authorization_requests_user_id_idx ON oauth_authorization_requests (user_id);
CREATE INDEX oauth_authorization_requests_client_id_idx ON oauth_authorization_requests (client_id);

CREATE TABLE oauth_connections (
  id text NOT NULL,
  organization_id text NOT NULL,
  user_id text NOT NULL,
  client_id text NOT NULL REFERENCES oauth_clients,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  resource text NOT NULL,
  redirect_uri text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by text REFERENCES users ON DELETE SET NULL,
  revoked_reason text CHECK (revoked_reason IN
    ('disconnected', 'revoked_by_client', 'refresh_reuse', 'code_reuse', 'member_removed',
      'too_many')),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT oauth_connections_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members ON DELETE CASCADE,
  CONSTRAINT oauth_connections_revoked_check
    CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL))
);
CREATE INDEX oauth_connections_user_id_idx ON oauth_connections (user_id, created_at);
CREATE INDEX oauth_connections_organization_id_idx ON oauth_connections (organization_id, user_id);
CREATE INDEX oauth_connections_client_id_idx ON oauth_connections (client_id);

CREATE TABLE oauth_authorization_codes (
  code_hash bytea NOT NULL,
  client_id text NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  organization_id text NOT NULL,
  user_id text NOT NULL,
  scopes text[] NOT NULL,
  resource text NOT NULL,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL CONSTRAINT oauth_authorization_codes_challenge_check
    CHECK (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  connection_id text,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  PRIMARY KEY (code_hash, organization_id),
  CONSTRAINT oauth_authorization_codes_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members ON DELETE CASCADE,
  CONSTRAINT oauth_authorization_codes_connection_id_fkey FOREIGN KEY (organization_id, connection_id)
    REFERENCES oauth_connections ON DELETE CASCADE
);
CREATE INDEX oauth_authorization_codes_expires_at_idx ON oauth_authorization_codes (expires_at);
CREATE INDEX oauth_authorization_codes_client_id_idx ON oauth_authorization_codes (client_id);
CREATE INDEX oauth_authorization_codes_connection_id_idx
  ON oauth_authorization_codes (organization_id, connection_id);

CREATE TABLE oauth_access_tokens (
  token_hash bytea NOT NULL,
  organization_id text NOT NULL,
  connection_id text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  ends_repeat_of bytea,
  PRIMARY KEY (token_hash, organization_id),
  CONSTRAINT oauth_access_tokens_connection_id_fkey FOREIGN KEY (organization_id, connection_id)
    REFERENCES oauth_connections ON DELETE CASCADE
);
CREATE INDEX oauth_access_tokens_connection_id_idx ON oauth_access_tokens (organization_id, connection_id);
CREATE INDEX oauth_access_tokens_expires_at_idx ON oauth_access_tokens (expires_at);

CREATE TABLE oauth_refresh_tokens (
  token_hash bytea NOT NULL,
  organization_id text NOT NULL,
  connection_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  rotated_at timestamptz,
  is_answered boolean NOT NULL DEFAULT false,
  successor_encrypted bytea,
  -- Lets a client that names its refreshes get a lost answer again, until it has used one.
  rotation_id_hash bytea,
  PRIMARY KEY (token_hash, organization_id),
  CONSTRAINT oauth_refresh_tokens_connection_id_fkey FOREIGN KEY (organization_id, connection_id)
    REFERENCES oauth_connections ON DELETE CASCADE,
  CONSTRAINT oauth_refresh_tokens_successor_check
    CHECK (successor_encrypted IS NULL OR rotated_at IS NOT NULL),
  CONSTRAINT oauth_refresh_tokens_rotation_id_check
    CHECK (rotation_id_hash IS NULL OR successor_encrypted IS NOT NULL)
);
CREATE UNIQUE INDEX oauth_refresh_tokens_live_idx
  ON oauth_refresh_tokens (organization_id, connection_id)
  WHERE rotated_at IS NULL;
CREATE INDEX oauth_refresh_tokens_connection_id_idx
  ON oauth_refresh_tokens (organization_id, connection_id);
CREATE INDEX oauth_refresh_tokens_rotated_at_idx ON oauth_refresh_tokens (rotated_at)
  WHERE rotated_at IS NOT NULL;
`;
