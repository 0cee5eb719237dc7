import type { MigrationInterface, QueryRunner } from "typeorm";

/** Maintenance tasks with their checklists and repeat rules, and the record of permanent deletions. */
export class CreateTasks1763683200004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(triggers);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP TRIGGER assets_carry_tasks ON assets;
DROP FUNCTION assets_carry_tasks;
DROP TABLE deletion_records, task_checklist_items, maintenance_tasks, maintenance_plans;
DROP FUNCTION maintenance_tasks_fill_search;
DROP INDEX history_events_task_id_idx;
ALTER TABLE organizations DROP COLUMN next_task_number;
`);
  }
}

const tables = `
ALTER TABLE organizations ADD COLUMN next_task_number bigint NOT NULL DEFAULT 1;

CREATE TABLE maintenance_plans (
  id text CONSTRAINT maintenance_plans_pkey PRIMARY KEY,
  organization_id text NOT NULL,
  every integer NOT NULL,
  unit text NOT NULL,
  anchor text NOT NULL,
  anchor_day integer NOT NULL,
  ends_on date,
  active boolean NOT NULL DEFAULT true,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  CONSTRAINT maintenance_plans_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT maintenance_plans_organization_id_id_key UNIQUE (organization_id, id),
  CONSTRAINT maintenance_plans_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id),
  CONSTRAINT maintenance_plans_every_check CHECK (every BETWEEN 1 AND 999),
  CONSTRAINT maintenance_plans_unit_check CHECK (unit IN ('day', 'week', 'month', 'year')),
  CONSTRAINT maintenance_plans_anchor_check CHECK (anchor IN ('due_date', 'completion_date')),
  CONSTRAINT maintenance_plans_anchor_day_check CHECK (anchor_day BETWEEN 1 AND 31)
);

CREATE TABLE maintenance_tasks (
  id text CONSTRAINT maintenance_tasks_pkey PRIMARY KEY,
  organization_id text NOT NULL,
  task_number bigint NOT NULL,
  workspace_id text,
  asset_id text,
  plan_id text,
  occurrence integer,
  title text NOT NULL,
  description text,
  type text NOT NULL,
  priority text NOT NULL DEFAULT 'medium',
  state text NOT NULL DEFAULT 'scheduled',
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
  activity text,
  failure_cause text,
  completion_notes text,
  started_at timestamptz,
  completed_at timestamptz,
  completed_by text,
  cancelled_at timestamptz,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  updated_at timestamptz NOT NULL DEFAULT fettle_now(),
  version integer NOT NULL DEFAULT 1,
  search tsvector NOT NULL DEFAULT '',
  CONSTRAINT maintenance_tasks_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT maintenance_tasks_organization_id_id_key UNIQUE (organization_id, id),
  CONSTRAINT maintenance_tasks_organization_id_task_number_key UNIQUE (organization_id, task_number),
  CONSTRAINT maintenance_tasks_plan_id_occurrence_key UNIQUE (plan_id, occurrence),
  CONSTRAINT maintenance_tasks_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id)
    REFERENCES workspaces (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT maintenance_tasks_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT maintenance_tasks_plan_id_fkey FOREIGN KEY (organization_id, plan_id)
    REFERENCES maintenance_plans (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT maintenance_tasks_assigned_to_user_id_fkey
    FOREIGN KEY (organization_id, assigned_to_user_id)
    REFERENCES organization_members (organization_id, user_id),
  CONSTRAINT maintenance_tasks_completed_by_fkey FOREIGN KEY (completed_by) REFERENCES users (id),
  CONSTRAINT maintenance_tasks_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id),
  CONSTRAINT maintenance_tasks_place_check CHECK (asset_id IS NOT NULL OR workspace_id IS NOT NULL),
  CONSTRAINT maintenance_tasks_plan_check CHECK ((plan_id IS NULL) = (occurrence IS NULL)),
  CONSTRAINT maintenance_tasks_hidden_check CHECK (asset_id IS NOT NULL OR NOT hidden),
  CONSTRAINT maintenance_tasks_title_check CHECK (char_length(title) BETWEEN 1 AND 200),
  CONSTRAINT maintenance_tasks_description_check CHECK (char_length(description) <= 10000),
  CONSTRAINT maintenance_tasks_completion_notes_check CHECK (char_length(completion_notes) <= 10000),
  CONSTRAINT maintenance_tasks_type_check CHECK (type IN ('inspection', 'preventive',
    'condition_based', 'corrective', 'calibration', 'compliance_test', 'improvement', 'other')),
  CONSTRAINT maintenance_tasks_priority_check
    CHECK (priority IN ('low', 'medium', 'high', 'urgent')),
  CONSTRAINT maintenance_tasks_state_check
    CHECK (state IN ('scheduled', 'in_progress', 'on_hold', 'completed', 'cancelled')),
  CONSTRAINT maintenance_tasks_completed_check
    CHECK ((state = 'completed') = (completed_at IS NOT NULL)),
  CONSTRAINT maintenance_tasks_cancelled_check
    CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL)),
  CONSTRAINT maintenance_tasks_minutes_check CHECK (estimated_minutes >= 0
    AND actual_minutes >= 0 AND downtime_minutes >= 0),
  CONSTRAINT maintenance_tasks_costs_check CHECK (labor_cost >= 0 AND parts_cost >= 0
    AND other_cost >= 0),
  CONSTRAINT maintenance_tasks_currency_check CHECK (currency IS NOT NULL
    OR (labor_cost IS NULL AND parts_cost IS NULL AND other_cost IS NULL)),
  CONSTRAINT maintenance_tasks_activity_check CHECK (activity IN ('replace', 'repair', 'modify',
    'adjust', 'refit', 'check', 'service', 'test', 'inspect', 'overhaul', 'other')),
  CONSTRAINT maintenance_tasks_failure_cause_check CHECK (failure_cause IN ('design',
    'installation', 'operation', 'wear', 'external', 'management', 'unknown'))
);
CREATE INDEX maintenance_tasks_urgency_idx ON maintenance_tasks (organization_id,
  (state IN ('completed', 'cancelled')), (coalesce(due_date, 'infinity'::date)), id)
  WHERE NOT hidden;
CREATE INDEX maintenance_tasks_open_idx ON maintenance_tasks
  (organization_id, workspace_id, due_date)
  WHERE NOT hidden AND state IN ('scheduled', 'in_progress', 'on_hold');
CREATE INDEX maintenance_tasks_asset_id_idx ON maintenance_tasks (asset_id, state);
CREATE INDEX maintenance_tasks_workspace_id_idx ON maintenance_tasks (organization_id, workspace_id);
CREATE INDEX maintenance_tasks_assigned_to_user_id_idx
  ON maintenance_tasks (organization_id, assigned_to_user_id);
CREATE INDEX maintenance_tasks_completed_at_idx ON maintenance_tasks (organization_id, completed_at)
  WHERE state = 'completed';
CREATE INDEX maintenance_tasks_updated_at_idx ON maintenance_tasks (organization_id, updated_at, id);
CREATE INDEX maintenance_tasks_search_idx ON maintenance_tasks USING gin (search);

CREATE TABLE task_checklist_items (
  organization_id text NOT NULL,
  task_id text NOT NULL,
  position integer NOT NULL,
  label text NOT NULL,
  done_at timestamptz,
  done_by text,
  CONSTRAINT task_checklist_items_pkey PRIMARY KEY (task_id, position),
  CONSTRAINT task_checklist_items_task_id_fkey FOREIGN KEY (organization_id, task_id)
    REFERENCES maintenance_tasks (organization_id, id) ON DELETE RESTRICT,
  CONSTRAINT task_checklist_items_done_by_fkey FOREIGN KEY (done_by) REFERENCES users (id),
  CONSTRAINT task_checklist_items_position_check CHECK (position BETWEEN 1 AND 50),
  CONSTRAINT task_checklist_items_label_check CHECK (char_length(label) BETWEEN 1 AND 200),
  CONSTRAINT task_checklist_items_done_check CHECK ((done_at IS NULL) = (done_by IS NULL))
);

CREATE TABLE deletion_records (
  id bigint GENERATED BY DEFAULT AS IDENTITY CONSTRAINT deletion_records_pkey PRIMARY KEY,
  organization_id text NOT NULL,
  workspace_id text,
  workspace_name text,
  asset_id text NOT NULL,
  inventory_number text NOT NULL,
  asset_name text NOT NULL,
  actor_user_id text,
  actor_name text NOT NULL,
  client_name text,
  tasks_removed integer NOT NULL,
  events_removed integer NOT NULL,
  deleted_at timestamptz NOT NULL,
  CONSTRAINT deletion_records_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE,
  CONSTRAINT deletion_records_actor_user_id_fkey FOREIGN KEY (actor_user_id)
    REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX deletion_records_organization_id_idx ON deletion_records (organization_id, deleted_at);

CREATE INDEX history_events_task_id_idx ON history_events (task_id) WHERE task_id IS NOT NULL;
`;

const triggers = `
-- Tasks stay with their asset: where it is they are, and while it is deleted they are hidden.
CREATE FUNCTION assets_carry_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.workspace_id IS DISTINCT FROM OLD.workspace_id
      OR (NEW.state = 'deleted') <> (OLD.state = 'deleted') THEN
    UPDATE maintenance_tasks SET workspace_id = NEW.workspace_id, hidden = NEW.state = 'deleted'
      WHERE organization_id = NEW.organization_id AND asset_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER assets_carry_tasks AFTER UPDATE OF workspace_id, state ON assets
  FOR EACH ROW EXECUTE FUNCTION assets_carry_tasks();

CREATE FUNCTION maintenance_tasks_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := to_tsvector('simple', concat_ws(' ', NEW.title, NEW.description));
  RETURN NEW;
END $$;
CREATE TRIGGER maintenance_tasks_fill_search BEFORE INSERT OR UPDATE OF title, description
  ON maintenance_tasks FOR EACH ROW EXECUTE FUNCTION maintenance_tasks_fill_search();
`;
