-- Broken, and needs attention until it is repaired: out of service whatever work there is on it, or in
-- maintenance for anything but planned work in progress. Whoever changes a task has locked its asset, so
-- that of a task and a state that change at the same time the later one sees the other.
CREATE OR REPLACE FUNCTION awaits_work(a assets) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT a.state = 'out_of_service' OR a.state = 'in_maintenance' AND NOT EXISTS (
    SELECT FROM maintenance_tasks t
    WHERE t.organization_id = a.organization_id AND t.asset_id = a.id
      AND t.state = 'in_progress' AND t.requires_downtime AND t.type <> 'corrective') $$;

-- Afterwards
UPDATE assets a SET awaits_work = awaits_work(a) WHERE a.awaits_work <> awaits_work(a);
