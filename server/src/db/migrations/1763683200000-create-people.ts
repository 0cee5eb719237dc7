import type { MigrationInterface, QueryRunner } from "typeorm";

/** Organizations, the people in them, and the workspaces they work in. */
export class CreatePeople1763683200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(clock);
    await runner.query(tables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP TABLE workspace_members, workspaces, organization_members, user_passwords, users, organizations;
DROP FUNCTION fettle_now;
`);
  }
}

/**
 * The one clock of all statements: when the statement began, or the time that the transaction sets
 * to replay what happened earlier (sample data). It stands still within a statement, so columns
 * agree and an index range can end at it; being as stable as what it calls, it is inlined.
 */
// eslint-disable-next-line no-restricted-syntax
const clock = `
CREATE FUNCTION fettle_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('fettle.now', true), '')::timestamptz, statement_timestamp())
$$;
`;

const tables = `
CREATE EXTENSION IF NOT EXISTS citext;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE organizations (
  id text CONSTRAINT organizations_pkey PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL,
  inventory_prefix text NOT NULL,
  next_inventory_seq bigint NOT NULL DEFAULT 1,
  time_zone text NOT NULL DEFAULT 'UTC',
  currency char(3) NOT NULL DEFAULT 'USD',
  locale text NOT NULL DEFAULT 'en',
  settings jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  updated_at timestamptz NOT NULL DEFAULT fettle_now(),
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT organizations_slug_key UNIQUE (slug),
  CONSTRAINT organizations_name_check CHECK (char_length(name) BETWEEN 1 AND 120),
  CONSTRAINT organizations_slug_check CHECK (slug ~ '^[a-z0-9-]{2,40}$'),
  CONSTRAINT organizations_inventory_prefix_check CHECK (inventory_prefix ~ '^[A-Z0-9]{1,8}$')
);

CREATE TABLE users (
  id text CONSTRAINT users_pkey PRIMARY KEY,
  email citext NOT NULL,
  name text NOT NULL,
  locale text NOT NULL DEFAULT 'en',
  email_verified_at timestamptz,
  last_login_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  deactivated_at timestamptz,
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_email_check CHECK (char_length(email::text) <= 254),
  CONSTRAINT users_name_check CHECK (char_length(name) BETWEEN 1 AND 120)
);

CREATE TABLE user_passwords (
  user_id text CONSTRAINT user_passwords_pkey PRIMARY KEY,
  password_hash text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT fettle_now(),
  CONSTRAINT user_passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE organization_members (
  organization_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL,
  joined_at timestamptz NOT NULL DEFAULT fettle_now(),
  invited_by text,
  last_active_at timestamptz,
  removed_at timestamptz,
  CONSTRAINT organization_members_pkey PRIMARY KEY (organization_id, user_id),
  CONSTRAINT organization_members_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT organization_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
  CONSTRAINT organization_members_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users (id),
  CONSTRAINT organization_members_role_check CHECK (role IN ('owner', 'admin', 'member'))
);
CREATE INDEX organization_members_user_id_idx ON organization_members (user_id);

CREATE TABLE workspaces (
  id text CONSTRAINT workspaces_pkey PRIMARY KEY,
  organization_id text NOT NULL,
  name citext NOT NULL,
  description text,
  address text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  updated_at timestamptz NOT NULL DEFAULT fettle_now(),
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT workspaces_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT workspaces_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id),
  CONSTRAINT workspaces_organization_id_id_key UNIQUE (organization_id, id),
  CONSTRAINT workspaces_organization_id_name_key UNIQUE (organization_id, name),
  CONSTRAINT workspaces_name_check CHECK (char_length(name::text) BETWEEN 1 AND 100),
  CONSTRAINT workspaces_description_check CHECK (char_length(description) <= 2000),
  CONSTRAINT workspaces_address_check CHECK (char_length(address) <= 500)
);

CREATE TABLE workspace_members (
  workspace_id text NOT NULL,
  user_id text NOT NULL,
  organization_id text NOT NULL,
  role text NOT NULL,
  added_by text,
  added_at timestamptz NOT NULL DEFAULT fettle_now(),
  CONSTRAINT workspace_members_pkey PRIMARY KEY (workspace_id, user_id),
  CONSTRAINT workspace_members_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id)
    REFERENCES workspaces (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT workspace_members_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE,
  CONSTRAINT workspace_members_added_by_fkey FOREIGN KEY (added_by) REFERENCES users (id),
  CONSTRAINT workspace_members_role_check CHECK (role IN ('admin', 'member', 'viewer'))
);
CREATE INDEX workspace_members_organization_id_user_id_idx
  ON workspace_members (organization_id, user_id);
`;
