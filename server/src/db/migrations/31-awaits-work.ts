/**
 * `awaits_work`: out of service, and no open task covers it. Who changes a task has locked its asset, so
 * that of a task and a state that change at the same time the later one sees the other.
 */
export const awaitsWork = `
ALTER TABLE assets ADD COLUMN awaits_work boolean NOT NULL DEFAULT false;

CREATE FUNCTION awaits_work(a assets) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT a.state = 'out_of_service' AND NOT EXISTS (SELECT FROM maintenance_tasks t
    WHERE t.organization_id = a.organization_id AND t.asset_id = a.id
      AND t.state IN ('scheduled', 'in_progress', 'on_hold')) $$;

CREATE FUNCTION assets_fill_awaits_work() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.awaits_work := awaits_work(NEW);
  RETURN NEW;
END $$;
CREATE TRIGGER assets_fill_awaits_work BEFORE INSERT OR UPDATE OF state ON assets
  FOR EACH ROW WHEN (NEW.state = 'out_of_service' OR NEW.awaits_work) EXECUTE FUNCTION assets_fill_awaits_work();

CREATE FUNCTION refresh_awaits_work(organization text, asset text) RETURNS void LANGUAGE sql AS $$
  UPDATE assets a SET awaits_work = NOT a.awaits_work
    WHERE a.organization_id = organization AND a.id = asset AND a.state = 'out_of_service'
      AND awaits_work(a) <> a.awaits_work $$;

CREATE FUNCTION maintenance_tasks_fill_awaits_work() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_awaits_work(NEW.organization_id, NEW.asset_id);
  IF OLD.asset_id IS DISTINCT FROM NEW.asset_id THEN
    PERFORM refresh_awaits_work(OLD.organization_id, OLD.asset_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER maintenance_tasks_fill_awaits_work AFTER INSERT OR DELETE OR UPDATE OF state, asset_id
  ON maintenance_tasks FOR EACH ROW EXECUTE FUNCTION maintenance_tasks_fill_awaits_work();

UPDATE assets a SET awaits_work = true WHERE a.state = 'out_of_service' AND awaits_work(a);
DROP INDEX assets_out_of_service_idx;
CREATE INDEX assets_awaiting_work_idx ON assets (organization_id, criticality, state_changed_at, id)
  INCLUDE (workspace_id) WHERE awaits_work;
`;
