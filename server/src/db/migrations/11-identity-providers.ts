/** Sign-in with the identity provider of an organization (OpenID Connect). */
export const identityProviders = `
CREATE TABLE identity_providers (
  organization_id text PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  issuer text NOT NULL CHECK (issuer LIKE 'https://%' AND char_length(issuer) <= 500),
  client_id text NOT NULL CHECK (char_length(client_id) BETWEEN 1 AND 300),
  client_secret_encrypted bytea NOT NULL,
  verifies_addresses boolean NOT NULL DEFAULT false,
  only_way boolean NOT NULL DEFAULT false,
  way_back_user_id text REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  updated_at timestamptz NOT NULL DEFAULT fettle_now()
);

CREATE TABLE identity_provider_domains (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  domain text NOT NULL CHECK (domain = lower(domain) AND char_length(domain) BETWEEN 3 AND 253),
  challenge text NOT NULL,
  verified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  PRIMARY KEY (organization_id, domain)
);
-- Whoever only says that a domain is theirs stands in nobody's way.
CREATE INDEX identity_provider_domains_verified_idx ON identity_provider_domains (domain)
  WHERE verified_at IS NOT NULL;

CREATE TABLE provider_identities (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  issuer text NOT NULL,
  subject text NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  multi_factor boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  last_used_at timestamptz NOT NULL DEFAULT fettle_now(),
  PRIMARY KEY (organization_id, issuer, subject),
  UNIQUE (user_id, organization_id, issuer)
);
`;
