/**
 * What assets have run, worked or counted, and work that is due by it. `total` goes on where a meter was
 * replaced: `usage_before` is what the ones before it had counted.
 */
export const meters = `
CREATE TABLE meters (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  asset_id text NOT NULL,
  name citext NOT NULL CONSTRAINT meters_name_check CHECK (char_length(name) BETWEEN 1 AND 60),
  unit text NOT NULL CONSTRAINT meters_unit_check CHECK (char_length(unit) BETWEEN 1 AND 20),
  value numeric(14,2) CONSTRAINT meters_value_check CHECK (value >= 0),
  read_at timestamptz,
  usage_before numeric(16,2) NOT NULL DEFAULT 0
    CONSTRAINT meters_usage_before_check CHECK (usage_before >= 0),
  created_by text NOT NULL CONSTRAINT meters_created_by_fkey REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  CONSTRAINT meters_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT meters_organization_id_asset_id_name_key UNIQUE (organization_id, asset_id, name),
  CONSTRAINT meters_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets ON DELETE CASCADE,
  CONSTRAINT meters_read_check CHECK ((value IS NULL) = (read_at IS NULL))
);

CREATE TABLE meter_readings (
  organization_id text NOT NULL,
  id text NOT NULL,
  meter_id text NOT NULL,
  value numeric(14,2) NOT NULL CONSTRAINT meter_readings_value_check CHECK (value >= 0),
  total numeric(16,2) NOT NULL,
  read_at timestamptz NOT NULL,
  replaced boolean NOT NULL,
  source text NOT NULL CONSTRAINT meter_readings_source_check
    CHECK (source IN ('mcp', 'web', 'import', 'public_scan', 'system')),
  recorded_by text NOT NULL CONSTRAINT meter_readings_recorded_by_fkey REFERENCES users,
  recorded_at timestamptz NOT NULL DEFAULT fettle_now(),
  CONSTRAINT meter_readings_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT meter_readings_meter_id_fkey FOREIGN KEY (organization_id, meter_id)
    REFERENCES meters ON DELETE CASCADE
);
CREATE INDEX meter_readings_read_at_idx ON meter_readings (organization_id, meter_id, read_at);

ALTER TABLE maintenance_plans
  ALTER COLUMN every DROP NOT NULL,
  ALTER COLUMN unit DROP NOT NULL,
  ALTER COLUMN anchor_day DROP NOT NULL,
  ADD COLUMN meter_id text,
  ADD COLUMN every_usage numeric(14,2)
    CONSTRAINT maintenance_plans_every_usage_check CHECK (every_usage > 0),
  ADD CONSTRAINT maintenance_plans_meter_id_fkey FOREIGN KEY (organization_id, meter_id)
    REFERENCES meters,
  ADD CONSTRAINT maintenance_plans_calendar_check CHECK ((every IS NULL) = (unit IS NULL)
    AND (every IS NULL) = (anchor_day IS NULL) AND (every IS NOT NULL OR on_weekday IS NULL)),
  ADD CONSTRAINT maintenance_plans_usage_check CHECK (meter_id IS NULL OR every_usage IS NOT NULL),
  ADD CONSTRAINT maintenance_plans_rule_check CHECK (every IS NOT NULL OR every_usage IS NOT NULL);
CREATE INDEX maintenance_plans_meter_id_idx ON maintenance_plans (organization_id, meter_id)
  WHERE meter_id IS NOT NULL;

ALTER TABLE maintenance_tasks ADD COLUMN due_usage numeric(16,2);
`;
