-- Organizations, their people, and workspaces.

CREATE EXTENSION IF NOT EXISTS citext;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE users (
  id text PRIMARY KEY,
  -- NULL once the person is erased.
  email citext UNIQUE CHECK (char_length(email::text) <= 254),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  job_title text CHECK (char_length(job_title) BETWEEN 1 AND 80),
  locale text NOT NULL DEFAULT 'en-GB',
  email_verified_at timestamptz,
  last_login_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  deactivated_at timestamptz,
  time_zone text,
  CONSTRAINT users_erased_check CHECK (email IS NOT NULL OR deactivated_at IS NOT NULL)
);

CREATE TABLE user_passwords (
  user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  password_hash text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT app_now()
);

CREATE TABLE organizations (
  id text PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  slug text NOT NULL CHECK (slug ~ '^[a-z0-9-]{2,40}$'),
  inventory_prefix text NOT NULL CHECK (inventory_prefix ~ '^[A-Z0-9]{1,8}$'),
  next_inventory_seq bigint NOT NULL DEFAULT 1,
  next_task_number bigint NOT NULL DEFAULT 1,
  -- An unknown time zone would fail every statement that reads the days of all organizations.
  time_zone text NOT NULL DEFAULT 'UTC'
    CHECK (timestamptz 'epoch' AT TIME ZONE time_zone IS NOT NULL),
  currency char(3) NOT NULL DEFAULT 'USD',
  locale text NOT NULL DEFAULT 'en',
  settings jsonb NOT NULL DEFAULT '{}',
  -- The usual working time. Days are ISO weekdays: 1 is Monday.
  weekly_minutes integer NOT NULL DEFAULT 2280,
  working_days integer[] NOT NULL DEFAULT '{1,2,3,4,5}',
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  version integer NOT NULL DEFAULT 1,
  admins_need_second_factor boolean NOT NULL DEFAULT false,
  destructive_needs_second_factor boolean NOT NULL DEFAULT false,
  deletion_needs_person boolean NOT NULL DEFAULT false,
  public_reports boolean NOT NULL DEFAULT false,
  reminded_on date,
  -- The owner of a sample organization, at most one per person. A sample organization without an
  -- owner is waiting for deletion.
  sample_of text REFERENCES users,
  sample_percent integer,
  -- The organization whose limits include the sample.
  sample_from text,
  CONSTRAINT organizations_working_time_check CHECK (weekly_minutes BETWEEN 0 AND 10080)
);
CREATE INDEX organizations_sample_of_idx ON organizations (sample_of);

-- Names that are unique on the server. The keys of other tables begin with the organization.
CREATE TABLE unique_names (
  kind text NOT NULL CHECK (kind IN ('slug', 'domain')),
  name text NOT NULL,
  organization_id text NOT NULL,
  PRIMARY KEY (kind, name)
);

CREATE TABLE organization_members (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  joined_at timestamptz NOT NULL DEFAULT app_now(),
  invited_by text REFERENCES users,
  last_active_at timestamptz,
  removed_at timestamptz,
  access_epoch integer NOT NULL DEFAULT 0,
  access_ends_on date,
  hides_first_steps boolean NOT NULL DEFAULT false,
  -- NULL if the person works as usual in the organization.
  weekly_minutes integer,
  working_days integer[],
  PRIMARY KEY (organization_id, user_id),
  CONSTRAINT organization_members_working_time_check CHECK (
    weekly_minutes BETWEEN 0 AND 10080 AND num_nulls(weekly_minutes, working_days) <> 1)
);
CREATE INDEX organization_members_user_id_idx ON organization_members (user_id);
CREATE INDEX organization_members_access_ends_on_idx ON organization_members (access_ends_on)
  WHERE access_ends_on IS NOT NULL AND removed_at IS NULL;

CREATE TABLE absences (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id text NOT NULL,
  first_day date NOT NULL,
  last_day date NOT NULL,
  note text CHECK (char_length(note) <= 200),
  PRIMARY KEY (organization_id, user_id, first_day),
  CONSTRAINT absences_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members ON DELETE CASCADE,
  CONSTRAINT absences_days_check CHECK (first_day <= last_day)
);

CREATE TABLE workspaces (
  id text NOT NULL,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name citext NOT NULL CHECK (char_length(name::text) BETWEEN 1 AND 100),
  description text CHECK (char_length(description) <= 2000),
  address text CHECK (char_length(address) <= 500),
  created_by text NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, name)
);

CREATE TABLE workspace_members (
  workspace_id text NOT NULL,
  user_id text NOT NULL,
  organization_id text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  added_by text REFERENCES users,
  added_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (organization_id, workspace_id, user_id),
  CONSTRAINT workspace_members_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id)
    REFERENCES workspaces (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT workspace_members_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members ON DELETE CASCADE
);
CREATE INDEX workspace_members_organization_id_user_id_idx
  ON workspace_members (organization_id, user_id);

CREATE TABLE saved_views (
  organization_id text NOT NULL,
  user_id text NOT NULL,
  list text NOT NULL CHECK (list IN ('assets', 'tasks')),
  name citext NOT NULL,
  query text NOT NULL,
  PRIMARY KEY (organization_id, user_id, list, name),
  CONSTRAINT saved_views_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members ON DELETE CASCADE
);
