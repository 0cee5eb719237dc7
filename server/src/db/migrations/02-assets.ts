/** Assets with their categories, numbers, and states over time. */
export const assets = `
CREATE TABLE asset_categories (
  id text NOT NULL,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name citext NOT NULL CHECK (char_length(name::text) BETWEEN 1 AND 100),
  parent_id text,
  default_useful_life_months integer,
  default_criticality text CHECK (default_criticality IN ('low', 'medium', 'high', 'critical')),
  external_code text,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
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
  state_changed_at timestamptz NOT NULL DEFAULT fettle_now(),
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
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  updated_at timestamptz NOT NULL DEFAULT fettle_now(),
  version integer NOT NULL DEFAULT 1,
  search tsvector NOT NULL DEFAULT '',
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
CREATE INDEX assets_name_idx ON assets (organization_id, lower(name), id) WHERE state <> 'deleted';
CREATE INDEX assets_counts_idx ON assets (organization_id, workspace_id, state)
  WHERE state <> 'deleted';
CREATE INDEX assets_workspace_id_name_idx
  ON assets (organization_id, workspace_id, lower(name), id);
CREATE INDEX assets_category_id_idx ON assets (organization_id, category_id);
CREATE INDEX assets_assigned_to_user_id_idx ON assets (organization_id, assigned_to_user_id);
CREATE INDEX assets_parent_asset_id_idx ON assets (organization_id, parent_asset_id)
  WHERE parent_asset_id IS NOT NULL;
CREATE INDEX assets_merged_into_asset_id_idx ON assets (organization_id, merged_into_asset_id)
  WHERE merged_into_asset_id IS NOT NULL;
CREATE INDEX assets_updated_at_idx ON assets (organization_id, updated_at, id);
CREATE INDEX assets_created_at_idx ON assets (organization_id, created_at, id);
CREATE INDEX assets_serial_number_idx ON assets (organization_id, serial_number)
  WHERE serial_number IS NOT NULL;
CREATE INDEX assets_warranty_expires_on_idx ON assets (organization_id, warranty_expires_on)
  WHERE state <> 'deleted';
CREATE INDEX assets_search_idx ON assets USING gin (search);
CREATE INDEX assets_trigram_idx ON assets
  USING gin (name gin_trgm_ops, inventory_number gin_trgm_ops, serial_number gin_trgm_ops);

CREATE TABLE retired_inventory_numbers (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  inventory_number text NOT NULL,
  retired_at timestamptz NOT NULL DEFAULT fettle_now(),
  PRIMARY KEY (organization_id, inventory_number)
);

-- Runs after the row is in the unique index: whoever waited there for a renaming transaction then
-- sees the number that it retired.
CREATE FUNCTION assets_refuse_retired_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM retired_inventory_numbers r
      WHERE r.organization_id = NEW.organization_id AND r.inventory_number = NEW.inventory_number) THEN
    RAISE EXCEPTION 'inventory number % was retired', NEW.inventory_number
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'retired_inventory_numbers_pkey';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER assets_refuse_retired_number AFTER INSERT OR UPDATE OF inventory_number ON assets
  FOR EACH ROW EXECUTE FUNCTION assets_refuse_retired_number();

CREATE TABLE asset_state_periods (
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  organization_id text NOT NULL,
  asset_id text NOT NULL,
  state text NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  downtime_kind text CHECK (downtime_kind IN ('planned', 'unplanned')),
  task_id text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT asset_state_periods_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT asset_state_periods_order_check CHECK (ended_at >= started_at)
);
CREATE UNIQUE INDEX asset_state_periods_open_idx ON asset_state_periods (organization_id, asset_id)
  WHERE ended_at IS NULL;
CREATE INDEX asset_state_periods_asset_id_idx
  ON asset_state_periods (organization_id, asset_id, started_at);
CREATE INDEX asset_state_periods_failures_idx ON asset_state_periods (organization_id, started_at)
  WHERE state = 'out_of_service' AND task_id IS NULL;
`;
