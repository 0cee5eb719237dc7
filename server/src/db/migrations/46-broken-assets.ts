import { figuresOfWork, workWritesFigures } from "./16-group-figures.js";

/**
 * What is broken needs attention until it is repaired: `awaits_work` is kept for what is out of service
 * whatever work there is on it, and for what is in maintenance for anything but planned work in progress.
 * Repairs without times are no figure, and work is counted by who completed it too. And the activity log is
 * read by time.
 */
export const brokenAssets = `
ALTER TABLE problem_reports ADD COLUMN usable_again_at timestamptz;
CREATE INDEX problem_reports_unusable_idx ON problem_reports (organization_id, asset_id)
  WHERE NOT still_usable AND usable_again_at IS NULL AND status IN ('open', 'accepted', 'merged');
UPDATE problem_reports r SET usable_again_at = a.state_changed_at FROM assets a
  WHERE a.organization_id = r.organization_id AND a.id = r.asset_id AND NOT r.still_usable
    AND a.state NOT IN ('in_maintenance', 'out_of_service') AND a.state_changed_at > r.created_at;

CREATE OR REPLACE FUNCTION awaits_work(a assets) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT a.state = 'out_of_service' OR a.state = 'in_maintenance' AND NOT EXISTS (
    SELECT FROM maintenance_tasks t
    WHERE t.organization_id = a.organization_id AND t.asset_id = a.id
      AND t.state = 'in_progress' AND t.requires_downtime AND t.type <> 'corrective') $$;

CREATE OR REPLACE FUNCTION refresh_awaits_work(organization text, asset text) RETURNS void LANGUAGE sql AS $$
  UPDATE assets a SET awaits_work = NOT a.awaits_work
    WHERE a.organization_id = organization AND a.id = asset AND a.state = 'in_maintenance'
      AND awaits_work(a) <> a.awaits_work $$;

DROP TRIGGER assets_fill_awaits_work ON assets;
CREATE TRIGGER assets_fill_awaits_work BEFORE INSERT OR UPDATE OF state ON assets
  FOR EACH ROW WHEN (NEW.state IN ('in_maintenance', 'out_of_service') OR NEW.awaits_work)
  EXECUTE FUNCTION assets_fill_awaits_work();
DROP TRIGGER maintenance_tasks_fill_awaits_work ON maintenance_tasks;
CREATE TRIGGER maintenance_tasks_fill_awaits_work AFTER INSERT OR DELETE
  OR UPDATE OF state, asset_id, type, requires_downtime
  ON maintenance_tasks FOR EACH ROW EXECUTE FUNCTION maintenance_tasks_fill_awaits_work();
UPDATE assets a SET awaits_work = awaits_work(a)
  WHERE a.state IN ('in_maintenance', 'out_of_service') AND awaits_work(a) <> a.awaits_work;

-- The log is read by when things happened; what is entered later may be older.
DROP INDEX activity_log_organization_id_idx, activity_log_user_id_idx;
CREATE INDEX activity_log_organization_id_idx ON activity_log (organization_id, created_at DESC, id DESC);
CREATE INDEX activity_log_user_id_idx ON activity_log (user_id, created_at DESC, id DESC);

${figuresOfWork}
${workWritesFigures}
SELECT recount_figures(id) FROM organizations;
`;
