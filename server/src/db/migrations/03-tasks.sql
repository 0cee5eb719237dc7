-- Maintenance tasks with their checklists, procedures and repeat rules.

CREATE TABLE procedures (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  name citext NOT NULL CHECK (char_length(name::text) BETWEEN 1 AND 100),
  category_id text,
  -- The current version.
  version integer NOT NULL DEFAULT 1,
  archived_at timestamptz,
  created_by text NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT procedures_category_id_fkey FOREIGN KEY (organization_id, category_id)
    REFERENCES asset_categories (organization_id, id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX procedures_name_idx ON procedures (organization_id, name)
  WHERE archived_at IS NULL;

CREATE TABLE procedure_versions (
  organization_id text NOT NULL,
  procedure_id text NOT NULL,
  version integer NOT NULL,
  steps jsonb NOT NULL,
  edited_by text NOT NULL REFERENCES users,
  edited_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (organization_id, procedure_id, version),
  CONSTRAINT procedure_versions_procedure_id_fkey FOREIGN KEY (organization_id, procedure_id)
    REFERENCES procedures (organization_id, id) ON DELETE CASCADE
);

CREATE TABLE maintenance_plans (
  id text NOT NULL,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  every integer CHECK (every BETWEEN 1 AND 999),
  unit text CHECK (unit IN ('day', 'week', 'month', 'year')),
  anchor text NOT NULL CHECK (anchor IN ('due_date', 'completion_date')),
  anchor_day integer CHECK (anchor_day BETWEEN 1 AND 31),
  on_weekday text CONSTRAINT maintenance_plans_on_weekday_check CHECK (on_weekday IS NULL OR
    unit IN ('month', 'year') AND on_weekday ~
    '^(first|second|third|fourth|last) (mon|tues|wednes|thurs|fri|satur|sun)day$'),
  ends_on date,
  active boolean NOT NULL DEFAULT true,
  created_by text NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  meter_id text,
  every_usage numeric(14,2) CHECK (every_usage > 0),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT maintenance_plans_meter_id_fkey FOREIGN KEY (organization_id, meter_id)
    REFERENCES meters,
  CONSTRAINT maintenance_plans_calendar_check CHECK ((every IS NULL) = (unit IS NULL)
    AND (every IS NULL) = (anchor_day IS NULL) AND (every IS NOT NULL OR on_weekday IS NULL)),
  CONSTRAINT maintenance_plans_usage_check CHECK (meter_id IS NULL OR every_usage IS NOT NULL),
  CONSTRAINT maintenance_plans_rule_check CHECK (every IS NOT NULL OR every_usage IS NOT NULL)
);
CREATE INDEX maintenance_plans_meter_id_idx ON maintenance_plans (organization_id, meter_id)
  WHERE meter_id IS NOT NULL;

CREATE TABLE maintenance_tasks (
  id text NOT NULL,
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  task_number bigint NOT NULL,
  workspace_id text,
  asset_id text,
  plan_id text,
  occurrence integer,
  title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
  description text CHECK (char_length(description) <= 10000),
  type text NOT NULL CHECK (type IN ('inspection', 'preventive', 'condition_based', 'corrective',
    'calibration', 'compliance_test', 'improvement', 'other')),
  priority text NOT NULL DEFAULT 'medium'
    CHECK (priority IN ('low', 'medium', 'high', 'urgent')),
  state text NOT NULL DEFAULT 'scheduled'
    CHECK (state IN ('scheduled', 'in_progress', 'on_hold', 'completed', 'cancelled')),
  hidden boolean NOT NULL DEFAULT false,
  due_date date,
  assigned_to_user_id text,
  estimated_minutes integer,
  actual_minutes integer,
  downtime_minutes integer,
  requires_downtime boolean NOT NULL DEFAULT false,
  asset_state_before text,
  labor_cost numeric(16,4),
  parts_cost numeric(16,4),
  other_cost numeric(16,4),
  currency char(3),
  activity text CHECK (activity IN ('replace', 'repair', 'modify', 'adjust', 'refit', 'check',
    'service', 'test', 'inspect', 'overhaul', 'other')),
  failure_cause text CHECK (failure_cause IN ('design', 'installation', 'operation', 'wear',
    'external', 'management', 'unknown')),
  completion_notes text CHECK (char_length(completion_notes) <= 10000),
  started_at timestamptz,
  completed_at timestamptz,
  completed_by text REFERENCES users,
  cancelled_at timestamptz,
  created_by text NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  version integer NOT NULL DEFAULT 1,
  search tsvector NOT NULL DEFAULT '',
  -- True if planned work was done on time. NULL while it is open, or if it was never due.
  in_time boolean,
  -- Both are copied from the asset. Tasks without an asset have medium criticality and no category.
  criticality text NOT NULL DEFAULT 'medium',
  category_id text,
  -- The total of the plan's meter at which the task is due.
  due_usage numeric(16,2),
  -- The procedure whose steps the task copied, and the version.
  procedure_id text,
  procedure_version integer,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, task_number),
  UNIQUE (organization_id, plan_id, occurrence),
  CONSTRAINT maintenance_tasks_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id)
    REFERENCES workspaces (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT maintenance_tasks_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT maintenance_tasks_plan_id_fkey FOREIGN KEY (organization_id, plan_id)
    REFERENCES maintenance_plans (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT maintenance_tasks_procedure_id_fkey FOREIGN KEY (organization_id, procedure_id)
    REFERENCES procedures (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT maintenance_tasks_procedure_check
    CHECK ((procedure_id IS NULL) = (procedure_version IS NULL)),
  CONSTRAINT maintenance_tasks_assigned_to_user_id_fkey
    FOREIGN KEY (organization_id, assigned_to_user_id) REFERENCES organization_members,
  CONSTRAINT maintenance_tasks_place_check CHECK (asset_id IS NOT NULL OR workspace_id IS NOT NULL),
  CONSTRAINT maintenance_tasks_plan_check CHECK ((plan_id IS NULL) = (occurrence IS NULL)),
  CONSTRAINT maintenance_tasks_hidden_check CHECK (asset_id IS NOT NULL OR NOT hidden),
  CONSTRAINT maintenance_tasks_completed_check
    CHECK ((state = 'completed') = (completed_at IS NOT NULL)),
  CONSTRAINT maintenance_tasks_cancelled_check
    CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL)),
  CONSTRAINT maintenance_tasks_minutes_check
    CHECK (estimated_minutes >= 0 AND actual_minutes >= 0 AND downtime_minutes >= 0),
  CONSTRAINT maintenance_tasks_costs_check
    CHECK (labor_cost >= 0 AND parts_cost >= 0 AND other_cost >= 0),
  CONSTRAINT maintenance_tasks_currency_check CHECK (currency IS NOT NULL
    OR (labor_cost IS NULL AND parts_cost IS NULL AND other_cost IS NULL))
);
CREATE INDEX maintenance_tasks_open_idx ON maintenance_tasks
  (organization_id, workspace_id, due_date)
  WHERE NOT hidden AND state IN ('scheduled', 'in_progress', 'on_hold');
CREATE INDEX maintenance_tasks_asset_open_idx ON maintenance_tasks (organization_id, asset_id)
  WHERE NOT hidden AND state IN ('scheduled', 'in_progress', 'on_hold');
CREATE INDEX maintenance_tasks_counts_idx ON maintenance_tasks
  (organization_id, workspace_id, state) WHERE NOT hidden;
CREATE INDEX maintenance_tasks_corrective_idx ON maintenance_tasks
  (organization_id, asset_id, completed_at) WHERE type = 'corrective' AND state <> 'cancelled';
CREATE INDEX maintenance_tasks_asset_id_idx ON maintenance_tasks (asset_id, state);
CREATE INDEX maintenance_tasks_updated_at_idx ON maintenance_tasks (organization_id, updated_at, id);
CREATE INDEX maintenance_tasks_type_idx ON maintenance_tasks (organization_id, type,
  (state IN ('completed', 'cancelled')), (coalesce(due_date, 'infinity'::date)), id)
  WHERE NOT hidden;
CREATE INDEX maintenance_tasks_workspace_id_idx ON maintenance_tasks (organization_id, workspace_id,
  (state IN ('completed', 'cancelled')), (coalesce(due_date, 'infinity'::date)), id);
CREATE INDEX maintenance_tasks_not_placed_idx ON maintenance_tasks (organization_id,
  (state IN ('completed', 'cancelled')), (coalesce(due_date, 'infinity'::date)), id)
  WHERE workspace_id IS NULL AND NOT hidden;
CREATE INDEX maintenance_tasks_unassigned_idx ON maintenance_tasks
  (organization_id, criticality, priority, (coalesce(due_date, 'infinity'::date)), id)
  INCLUDE (due_date, asset_id, workspace_id) WHERE NOT hidden AND assigned_to_user_id IS NULL
    AND state IN ('scheduled', 'in_progress', 'on_hold');
CREATE INDEX maintenance_tasks_urgency_idx ON maintenance_tasks (organization_id,
  (state IN ('completed', 'cancelled')), (coalesce(due_date, 'infinity'::date)), id)
  INCLUDE (state, hidden, due_date, type, priority, workspace_id, completed_at) WHERE NOT hidden;
CREATE INDEX maintenance_tasks_completed_at_idx ON maintenance_tasks (organization_id, completed_at)
  INCLUDE (id, asset_id, workspace_id, hidden, type, due_date, currency, labor_cost, parts_cost,
    other_cost)
  WHERE state = 'completed';
CREATE INDEX maintenance_tasks_criticality_idx ON maintenance_tasks
  (organization_id, criticality, priority, (coalesce(due_date, 'infinity'::date)), id)
  INCLUDE (state, hidden, due_date, type, asset_id, workspace_id, assigned_to_user_id)
  WHERE NOT hidden AND state IN ('scheduled', 'in_progress', 'on_hold');
CREATE INDEX maintenance_tasks_place_criticality_idx ON maintenance_tasks
  (organization_id, workspace_id, criticality, priority, (coalesce(due_date, 'infinity'::date)), id)
  INCLUDE (state, hidden, due_date, type, assigned_to_user_id)
  WHERE NOT hidden AND state IN ('scheduled', 'in_progress', 'on_hold');
CREATE INDEX maintenance_tasks_assigned_to_user_id_idx ON maintenance_tasks (organization_id,
  assigned_to_user_id, (state IN ('completed', 'cancelled')),
  (coalesce(due_date, 'infinity'::date)), id)
  INCLUDE (state, hidden, due_date, type, criticality, priority, workspace_id);
CREATE INDEX maintenance_tasks_search_idx ON maintenance_tasks
  USING gin (organization_id, search, fettle_fold(title) gin_trgm_ops);

-- Links with which contractors without an account work on one task.
CREATE TABLE task_links (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  task_id text NOT NULL,
  contractor text NOT NULL CHECK (char_length(contractor) BETWEEN 1 AND 100),
  email citext CHECK (char_length(email) <= 254),
  token_hash bytea,
  created_by text NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  opened_at timestamptz,
  done_at timestamptz,
  done_note text CHECK (char_length(done_note) <= 4000),
  sent_back_at timestamptz,
  sent_back_reason text CHECK (char_length(sent_back_reason) <= 2000),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, token_hash),
  CONSTRAINT task_links_task_id_fkey FOREIGN KEY (organization_id, task_id)
    REFERENCES maintenance_tasks ON DELETE CASCADE,
  CONSTRAINT task_links_done_check CHECK ((done_at IS NULL) = (done_note IS NULL)),
  CONSTRAINT task_links_sent_back_check
    CHECK ((sent_back_at IS NULL) = (sent_back_reason IS NULL))
);
CREATE INDEX task_links_task_id_idx ON task_links (organization_id, task_id, created_at);
CREATE INDEX task_links_expires_at_idx ON task_links (expires_at) WHERE token_hash IS NOT NULL;
CREATE INDEX maintenance_tasks_procedure_id_idx ON maintenance_tasks (organization_id, procedure_id)
  WHERE procedure_id IS NOT NULL;

CREATE TABLE task_checklist_items (
  organization_id text NOT NULL,
  task_id text NOT NULL,
  position integer NOT NULL CHECK (position BETWEEN 1 AND 50),
  label text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 200),
  kind text NOT NULL DEFAULT 'check'
    CHECK (kind IN ('check', 'pass_fail', 'number', 'choice', 'text', 'photo', 'signature')),
  required boolean NOT NULL DEFAULT false,
  unit text CHECK (char_length(unit) <= 20),
  min numeric(16,4),
  max numeric(16,4),
  options text[],
  meter text CHECK (char_length(meter) <= 60),
  follow_up text CHECK (char_length(follow_up) BETWEEN 1 AND 200),
  follow_up_priority text CHECK (follow_up_priority IN ('low', 'medium', 'high', 'urgent')),
  out_of_service boolean NOT NULL DEFAULT false,
  done_at timestamptz,
  done_by text REFERENCES users,
  task_link_id text,
  answer text CHECK (char_length(answer) <= 2000),
  -- The file of a drawn signature.
  drawing text,
  follow_up_task_id text,
  PRIMARY KEY (organization_id, task_id, position),
  CONSTRAINT task_checklist_items_task_id_fkey FOREIGN KEY (organization_id, task_id)
    REFERENCES maintenance_tasks (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT task_checklist_items_follow_up_task_id_fkey
    FOREIGN KEY (organization_id, follow_up_task_id)
    REFERENCES maintenance_tasks (organization_id, id) ON DELETE SET NULL (follow_up_task_id),
  CONSTRAINT task_checklist_items_task_link_id_fkey FOREIGN KEY (organization_id, task_link_id)
    REFERENCES task_links,
  CONSTRAINT task_checklist_items_done_check
    CHECK (num_nonnulls(done_by, task_link_id) = num_nonnulls(done_at)),
  CONSTRAINT task_checklist_items_limits_check CHECK (min <= max),
  CONSTRAINT task_checklist_items_answered_check CHECK (answer IS NULL OR done_at IS NOT NULL),
  CONSTRAINT task_checklist_items_drawing_check CHECK (drawing IS NULL OR answer IS NOT NULL)
);
CREATE INDEX task_checklist_items_follow_up_task_id_idx
  ON task_checklist_items (organization_id, follow_up_task_id) WHERE follow_up_task_id IS NOT NULL;
CREATE INDEX task_checklist_items_task_link_id_idx
  ON task_checklist_items (organization_id, task_link_id) WHERE task_link_id IS NOT NULL;
