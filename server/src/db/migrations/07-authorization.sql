-- OAuth clients, grants, and confirmations. Secrets are stored as hashes.

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
  created_at timestamptz NOT NULL DEFAULT app_now(),
  first_consented_at timestamptz,
  -- The time of the next read of the metadata document, for clients whose id is the document's URL.
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
  created_at timestamptz NOT NULL DEFAULT app_now(),
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
  created_at timestamptz NOT NULL DEFAULT app_now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by text REFERENCES users ON DELETE SET NULL,
  revoked_reason text CHECK (revoked_reason IN
    ('disconnected', 'revoked_by_client', 'refresh_reuse', 'code_reuse', 'member_removed',
      'too_many', 'expired')),
  expires_at timestamptz,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT oauth_connections_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members ON DELETE CASCADE,
  CONSTRAINT oauth_connections_revoked_check
    CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL))
);
CREATE INDEX oauth_connections_user_id_idx ON oauth_connections (user_id, created_at);
CREATE INDEX oauth_connections_organization_id_idx ON oauth_connections (organization_id, user_id);
CREATE INDEX oauth_connections_client_id_idx ON oauth_connections (client_id);
CREATE INDEX oauth_connections_expires_at_idx ON oauth_connections (expires_at) WHERE revoked_at IS NULL;

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
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  connection_days integer CHECK (connection_days > 0),
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
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  ends_repeat_of bytea,
  PRIMARY KEY (token_hash, organization_id),
  CONSTRAINT oauth_access_tokens_connection_id_fkey FOREIGN KEY (organization_id, connection_id)
    REFERENCES oauth_connections ON DELETE CASCADE
);
CREATE INDEX oauth_access_tokens_connection_id_idx
  ON oauth_access_tokens (organization_id, connection_id);
CREATE INDEX oauth_access_tokens_expires_at_idx ON oauth_access_tokens (expires_at);

CREATE TABLE oauth_refresh_tokens (
  token_hash bytea NOT NULL,
  organization_id text NOT NULL,
  connection_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  rotated_at timestamptz,
  successor_encrypted bytea,
  -- Lets a client that sends a rotation id retry a lost response, until it uses a token of that
  -- response.
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

CREATE TABLE confirmations (
  organization_id text NOT NULL,
  id text NOT NULL,
  connection_id text NOT NULL,
  user_id text NOT NULL,
  call_hash bytea NOT NULL,
  question jsonb NOT NULL,
  answer text NOT NULL,
  expires_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  response jsonb,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT confirmations_organization_id_connection_id_call_hash_key 
    UNIQUE (organization_id, connection_id, call_hash),
  CONSTRAINT confirmations_connection_id_fkey FOREIGN KEY (organization_id, connection_id)
    REFERENCES oauth_connections ON DELETE CASCADE,
  CONSTRAINT confirmations_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members ON DELETE CASCADE
);
CREATE INDEX confirmations_user_id_idx ON confirmations (organization_id, user_id);
CREATE INDEX confirmations_expires_at_idx ON confirmations (expires_at);
