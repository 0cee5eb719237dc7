-- Updates which entries into out_of_service are covered by corrective work. Every change of a task
-- or state locks the asset, so the later of two concurrent changes sees the earlier one.
CREATE OR REPLACE FUNCTION maintenance_tasks_cover_failures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.type = 'corrective' OR (TG_OP = 'UPDATE' AND OLD.type = 'corrective') THEN
    UPDATE asset_state_periods p SET is_failure = NOT p.is_failure
      WHERE p.organization_id = NEW.organization_id AND p.asset_id = NEW.asset_id
        AND p.state = 'out_of_service' AND p.task_id IS NULL AND is_failure(p) <> p.is_failure;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER maintenance_tasks_cover_failures AFTER INSERT
  OR UPDATE OF type, state, created_at, started_at, completed_at
  ON maintenance_tasks FOR EACH ROW EXECUTE FUNCTION maintenance_tasks_cover_failures();
