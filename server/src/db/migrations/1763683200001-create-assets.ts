import type { MigrationInterface, QueryRunner } from "typeorm";

/** Assets with their categories, numbers, states over time, and the search column. */
export class CreateAssets1763683200001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(triggers);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP TABLE asset_state_periods, retired_inventory_numbers, assets, asset_categories;
DROP FUNCTION assets_refuse_retired_number, assets_fill_search, asset_categories_refresh_search;
`);
  }
}

const tables = `
CREATE TABLE asset_categories (
  id text CONSTRAINT asset_categories_pkey PRIMARY KEY,
  organization_id text NOT NULL,
  name citext NOT NULL,
  parent_id text,
  default_useful_life_months integer,
  default_criticality text,
  external_code text,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  CONSTRAINT asset_categories_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT asset_categories_organization_id_id_key UNIQUE (organization_id, id),
  CONSTRAINT asset_categories_organization_id_name_key UNIQUE (organization_id, name),
  CONSTRAINT asset_categories_parent_id_fkey FOREIGN KEY (organization_id, parent_id)
    REFERENCES asset_categories (organization_id, id) ON DELETE SET NULL (parent_id),
  CONSTRAINT asset_categories_name_check CHECK (char_length(name::text) BETWEEN 1 AND 100),
  CONSTRAINT asset_categories_default_criticality_check
    CHECK (default_criticality IN ('low', 'medium', 'high', 'critical'))
);

CREATE TABLE assets (
  id text CONSTRAINT assets_pkey PRIMARY KEY,
  organization_id text NOT NULL,
  workspace_id text,
  inventory_number text NOT NULL,
  name text NOT NULL,
  description text,
  category_id text,
  state text NOT NULL DEFAULT 'available',
  state_changed_at timestamptz NOT NULL DEFAULT fettle_now(),
  criticality text NOT NULL DEFAULT 'medium',
  condition text,
  manufacturer text,
  model text,
  serial_number text,
  location text,
  parent_asset_id text,
  assigned_to_user_id text,
  supplier text,
  purchase_date date,
  purchase_cost numeric(16,4),
  currency char(3),
  warranty_expires_on date,
  in_service_date date,
  end_of_life_on date,
  last_seen_at timestamptz,
  last_seen_by text,
  tags text[] NOT NULL DEFAULT '{}',
  qr_token text NOT NULL,
  deleted_at timestamptz,
  deletion_reason text,
  state_before_deletion text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  updated_at timestamptz NOT NULL DEFAULT fettle_now(),
  version integer NOT NULL DEFAULT 1,
  search tsvector NOT NULL DEFAULT '',
  CONSTRAINT assets_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT assets_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id)
    REFERENCES workspaces (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT assets_category_id_fkey FOREIGN KEY (organization_id, category_id)
    REFERENCES asset_categories (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT assets_organization_id_id_key UNIQUE (organization_id, id),
  CONSTRAINT assets_parent_asset_id_fkey FOREIGN KEY (organization_id, parent_asset_id)
    REFERENCES assets (organization_id, id) ON DELETE SET NULL (parent_asset_id),
  CONSTRAINT assets_assigned_to_user_id_fkey FOREIGN KEY (organization_id, assigned_to_user_id)
    REFERENCES organization_members (organization_id, user_id),
  CONSTRAINT assets_last_seen_by_fkey FOREIGN KEY (last_seen_by) REFERENCES users (id),
  CONSTRAINT assets_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id),
  CONSTRAINT assets_organization_id_inventory_number_key UNIQUE (organization_id, inventory_number),
  CONSTRAINT assets_qr_token_key UNIQUE (qr_token),
  CONSTRAINT assets_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
  CONSTRAINT assets_inventory_number_check CHECK (char_length(inventory_number) BETWEEN 1 AND 64),
  CONSTRAINT assets_description_check CHECK (char_length(description) <= 5000),
  CONSTRAINT assets_state_check CHECK (state IN
    ('available', 'in_use', 'in_maintenance', 'out_of_service', 'stored', 'deleted')),
  CONSTRAINT assets_criticality_check CHECK (criticality IN ('low', 'medium', 'high', 'critical')),
  CONSTRAINT assets_condition_check
    CHECK (condition IN ('excellent', 'good', 'fair', 'poor', 'failed')),
  CONSTRAINT assets_purchase_cost_check CHECK (purchase_cost >= 0),
  CONSTRAINT assets_warranty_check CHECK (warranty_expires_on >= purchase_date),
  CONSTRAINT assets_tags_check CHECK (cardinality(tags) <= 20),
  CONSTRAINT assets_deleted_check CHECK ((state = 'deleted') = (deleted_at IS NOT NULL)
    AND (state = 'deleted') = (state_before_deletion IS NOT NULL)
    AND (state = 'deleted' OR deletion_reason IS NULL)),
  CONSTRAINT assets_deletion_reason_check CHECK (deletion_reason IN ('disposed', 'sold', 'scrapped',
    'lost', 'stolen', 'donated', 'returned', 'duplicate', 'entered_in_error', 'other'))
);
CREATE INDEX assets_name_idx ON assets (organization_id, lower(name), id)
  WHERE state <> 'deleted';
CREATE INDEX assets_counts_idx ON assets (organization_id, workspace_id, state)
  WHERE state <> 'deleted';
CREATE INDEX assets_workspace_id_name_idx
  ON assets (organization_id, workspace_id, lower(name), id);
CREATE INDEX assets_category_id_idx ON assets (organization_id, category_id);
CREATE INDEX assets_assigned_to_user_id_idx ON assets (organization_id, assigned_to_user_id);
CREATE INDEX assets_parent_asset_id_idx ON assets (organization_id, parent_asset_id)
  WHERE parent_asset_id IS NOT NULL;
CREATE INDEX assets_updated_at_idx ON assets (organization_id, updated_at, id);
CREATE INDEX assets_created_at_idx ON assets (organization_id, created_at, id);
CREATE INDEX assets_serial_number_idx ON assets (organization_id, serial_number)
  WHERE serial_number IS NOT NULL;
CREATE INDEX assets_search_idx ON assets USING gin (search);
CREATE INDEX assets_trigram_idx ON assets
  USING gin (name gin_trgm_ops, inventory_number gin_trgm_ops, serial_number gin_trgm_ops);

CREATE TABLE retired_inventory_numbers (
  organization_id text NOT NULL,
  inventory_number text NOT NULL,
  retired_at timestamptz NOT NULL DEFAULT fettle_now(),
  CONSTRAINT retired_inventory_numbers_pkey PRIMARY KEY (organization_id, inventory_number),
  CONSTRAINT retired_inventory_numbers_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE
);

CREATE TABLE asset_state_periods (
  id bigint GENERATED BY DEFAULT AS IDENTITY CONSTRAINT asset_state_periods_pkey PRIMARY KEY,
  organization_id text NOT NULL,
  asset_id text NOT NULL,
  state text NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  downtime_kind text,
  task_id text,
  CONSTRAINT asset_state_periods_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT asset_state_periods_downtime_kind_check CHECK (downtime_kind IN ('planned', 'unplanned')),
  CONSTRAINT asset_state_periods_order_check CHECK (ended_at >= started_at)
);
CREATE UNIQUE INDEX asset_state_periods_open_idx ON asset_state_periods (asset_id)
  WHERE ended_at IS NULL;
CREATE INDEX asset_state_periods_asset_id_idx
  ON asset_state_periods (organization_id, asset_id, started_at);
`;

const triggers = `
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

CREATE FUNCTION assets_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := to_tsvector('simple', concat_ws(' ', NEW.name, NEW.inventory_number,
    NEW.serial_number, NEW.manufacturer, NEW.model, NEW.location,
    (SELECT c.name::text FROM asset_categories c
      WHERE c.organization_id = NEW.organization_id AND c.id = NEW.category_id),
    NEW.description));
  RETURN NEW;
END $$;
CREATE TRIGGER assets_fill_search BEFORE INSERT OR UPDATE OF name, inventory_number, serial_number,
  manufacturer, model, location, category_id, description ON assets
  FOR EACH ROW EXECUTE FUNCTION assets_fill_search();

CREATE FUNCTION asset_categories_refresh_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE assets SET category_id = category_id
    WHERE organization_id = NEW.organization_id AND category_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER asset_categories_refresh_search AFTER UPDATE OF name ON asset_categories
  FOR EACH ROW EXECUTE FUNCTION asset_categories_refresh_search();
`;
