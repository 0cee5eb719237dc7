-- Assets, categories, inventory numbers, meters, and state periods.

CREATE TABLE asset_categories (
  id text NOT NULL,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name citext NOT NULL CHECK (char_length(name::text) BETWEEN 1 AND 100),
  parent_id text,
  default_useful_life_months integer,
  default_criticality text CHECK (default_criticality IN ('low', 'medium', 'high', 'critical')),
  external_code text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, name),
  CONSTRAINT asset_categories_parent_id_fkey FOREIGN KEY (organization_id, parent_id)
    REFERENCES asset_categories
);

CREATE TABLE assets (
  id text NOT NULL,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  workspace_id text,
  inventory_number text NOT NULL CHECK (char_length(inventory_number) BETWEEN 1 AND 64),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  description text CHECK (char_length(description) <= 5000),
  category_id text,
  state text NOT NULL DEFAULT 'available' CHECK (state IN
    ('available', 'in_use', 'in_maintenance', 'out_of_service', 'stored', 'deleted')),
  state_changed_at timestamptz NOT NULL DEFAULT app_now(),
  criticality text NOT NULL DEFAULT 'medium'
    CHECK (criticality IN ('low', 'medium', 'high', 'critical')),
  condition text CHECK (condition IN ('excellent', 'good', 'fair', 'poor', 'failed')),
  manufacturer text,
  model text,
  serial_number text,
  location text,
  parent_asset_id text,
  assigned_to_user_id text,
  supplier text,
  purchase_date date,
  purchase_cost numeric(16,4) CHECK (purchase_cost >= 0),
  currency char(3),
  warranty_expires_on date,
  in_service_date date,
  end_of_life_on date,
  last_seen_at timestamptz,
  last_seen_by text REFERENCES users,
  tags text[] NOT NULL DEFAULT '{}' CHECK (cardinality(tags) <= 20),
  qr_token text NOT NULL,
  deleted_at timestamptz,
  deletion_reason text CHECK (deletion_reason IN ('disposed', 'sold', 'scrapped', 'lost', 'stolen',
    'donated', 'returned', 'duplicate', 'entered_in_error', 'other')),
  state_before_deletion text,
  merged_into_asset_id text,
  created_by text NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  version integer NOT NULL DEFAULT 1,
  search tsvector NOT NULL DEFAULT '',
  cost_center text,
  -- Sort key, see `natural_key`.
  name_key text NOT NULL DEFAULT '',
  -- See the function `awaits_work`.
  awaits_work boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, inventory_number),
  UNIQUE (organization_id, qr_token),
  CONSTRAINT assets_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id)
    REFERENCES workspaces (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT assets_category_id_fkey FOREIGN KEY (organization_id, category_id)
    REFERENCES asset_categories (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT assets_parent_asset_id_fkey FOREIGN KEY (organization_id, parent_asset_id)
    REFERENCES assets,
  CONSTRAINT assets_merged_into_asset_id_fkey FOREIGN KEY (organization_id, merged_into_asset_id)
    REFERENCES assets,
  CONSTRAINT assets_assigned_to_user_id_fkey FOREIGN KEY (organization_id, assigned_to_user_id)
    REFERENCES organization_members,
  CONSTRAINT assets_warranty_check CHECK (warranty_expires_on >= purchase_date),
  CONSTRAINT assets_deleted_check CHECK ((state = 'deleted') = (deleted_at IS NOT NULL)
    AND (state = 'deleted') = (state_before_deletion IS NOT NULL)
    AND (state = 'deleted' OR deletion_reason IS NULL AND merged_into_asset_id IS NULL))
);
CREATE INDEX assets_category_id_idx ON assets (organization_id, category_id);
CREATE INDEX assets_parent_asset_id_idx ON assets (organization_id, parent_asset_id)
  WHERE parent_asset_id IS NOT NULL;
CREATE INDEX assets_merged_into_asset_id_idx ON assets (organization_id, merged_into_asset_id)
  WHERE merged_into_asset_id IS NOT NULL;
CREATE INDEX assets_updated_at_idx ON assets (organization_id, updated_at, id);
CREATE INDEX assets_created_at_idx ON assets (organization_id, created_at, id);
CREATE INDEX assets_serial_number_idx ON assets (organization_id, serial_number)
  WHERE serial_number IS NOT NULL;
CREATE INDEX assets_counts_idx ON assets (organization_id, workspace_id, state)
  INCLUDE (criticality) WHERE state <> 'deleted';
CREATE INDEX assets_assigned_to_user_id_idx ON assets (organization_id, assigned_to_user_id)
  INCLUDE (state, workspace_id);
CREATE INDEX assets_warranty_expires_on_idx ON assets (organization_id, warranty_expires_on)
  INCLUDE (id, criticality, workspace_id) WHERE state <> 'deleted';
CREATE INDEX assets_last_seen_at_idx ON assets
  (organization_id, (coalesce(last_seen_at, '-infinity'::timestamptz)))
  INCLUDE (last_seen_at, workspace_id) WHERE state <> 'deleted';
-- Without the organization, because people without an account only have the code of a label.
CREATE INDEX assets_qr_token_idx ON assets (qr_token);
CREATE INDEX assets_name_idx ON assets (organization_id, name_key, id) WHERE state <> 'deleted';
CREATE INDEX assets_workspace_id_name_idx ON assets (organization_id, workspace_id, name_key, id);
CREATE INDEX assets_state_idx ON assets (organization_id, state, name_key, id);
CREATE INDEX assets_criticality_idx ON assets (organization_id, criticality, name_key, id)
  WHERE state <> 'deleted';
CREATE INDEX assets_not_placed_idx ON assets (organization_id, name_key, id)
  WHERE workspace_id IS NULL AND state <> 'deleted';
CREATE INDEX assets_awaiting_work_idx ON assets (organization_id, criticality, state_changed_at, id)
  INCLUDE (workspace_id) WHERE awaits_work;
CREATE INDEX assets_search_idx ON assets USING gin (organization_id, search,
  fettle_fold(name) gin_trgm_ops, fettle_fold(inventory_number) gin_trgm_ops,
  fettle_fold(serial_number) gin_trgm_ops, tags, name gin_trgm_ops, inventory_number gin_trgm_ops);

CREATE TABLE retired_inventory_numbers (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  inventory_number text NOT NULL,
  retired_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (organization_id, inventory_number)
);

CREATE TABLE asset_state_periods (
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  organization_id text NOT NULL,
  asset_id text NOT NULL,
  state text NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  downtime_kind text CHECK (downtime_kind IN ('planned', 'unplanned')),
  task_id text,
  -- `workspace_id`, `hidden` and `category_id` are copied from the asset.
  workspace_id text,
  hidden boolean NOT NULL DEFAULT false,
  -- See the function `idle_since`.
  idle_since timestamptz,
  -- See the function `is_failure`.
  is_failure boolean NOT NULL DEFAULT false,
  category_id text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT asset_state_periods_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT asset_state_periods_order_check CHECK (ended_at >= started_at)
);
CREATE UNIQUE INDEX asset_state_periods_open_idx ON asset_state_periods (organization_id, asset_id)
  WHERE ended_at IS NULL;
CREATE INDEX asset_state_periods_asset_id_idx
  ON asset_state_periods (organization_id, asset_id, started_at);
CREATE INDEX asset_state_periods_started_at_idx ON asset_state_periods (organization_id, started_at);
CREATE INDEX asset_state_periods_ended_at_idx ON asset_state_periods (organization_id, ended_at)
  WHERE ended_at IS NOT NULL;
CREATE INDEX asset_state_periods_idle_since_idx ON asset_state_periods (organization_id, idle_since)
  WHERE ended_at IS NULL AND idle_since IS NOT NULL;
CREATE INDEX asset_state_periods_failed_idx ON asset_state_periods (organization_id, started_at)
  INCLUDE (asset_id, workspace_id) WHERE is_failure AND NOT hidden;
CREATE INDEX asset_state_periods_down_idx ON asset_state_periods
  (organization_id, (coalesce(ended_at, 'infinity'::timestamptz)))
  INCLUDE (asset_id, started_at, ended_at, workspace_id)
  WHERE state IN ('in_maintenance', 'out_of_service') AND NOT hidden;

-- A reading's `total` continues when a meter is replaced. `usage_before` is the total of the
-- earlier meters.
CREATE TABLE meters (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  asset_id text NOT NULL,
  name citext NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
  unit text NOT NULL CHECK (char_length(unit) BETWEEN 1 AND 20),
  value numeric(14,2) CHECK (value >= 0),
  read_at timestamptz,
  usage_before numeric(16,2) NOT NULL DEFAULT 0 CHECK (usage_before >= 0),
  created_by text NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, asset_id, name),
  CONSTRAINT meters_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets ON DELETE CASCADE,
  CONSTRAINT meters_read_check CHECK ((value IS NULL) = (read_at IS NULL))
);

CREATE TABLE meter_readings (
  organization_id text NOT NULL,
  id text NOT NULL,
  meter_id text NOT NULL,
  value numeric(14,2) NOT NULL CHECK (value >= 0),
  total numeric(16,2) NOT NULL,
  read_at timestamptz NOT NULL,
  replaced boolean NOT NULL,
  source text NOT NULL
    CHECK (source IN ('mcp', 'web', 'import', 'public_scan', 'system')),
  recorded_by text NOT NULL REFERENCES users,
  recorded_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT meter_readings_meter_id_fkey FOREIGN KEY (organization_id, meter_id)
    REFERENCES meters ON DELETE CASCADE
);
CREATE INDEX meter_readings_read_at_idx ON meter_readings (organization_id, meter_id, read_at);
