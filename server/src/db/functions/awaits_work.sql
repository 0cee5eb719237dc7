-- True if the asset is broken: out of service, or in maintenance without planned work in progress.
-- Such an asset needs attention until it is repaired. Every change of a task locks its asset, so
-- the later of two concurrent changes sees the earlier one.
CREATE OR REPLACE FUNCTION awaits_work(a assets) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT a.state = 'out_of_service' OR a.state = 'in_maintenance' AND NOT EXISTS (
    SELECT FROM maintenance_tasks t
    WHERE t.organization_id = a.organization_id AND t.asset_id = a.id
      AND t.state = 'in_progress' AND t.requires_downtime AND t.type <> 'corrective') $$;

-- Afterwards
UPDATE assets a SET awaits_work = awaits_work(a) WHERE a.awaits_work <> awaits_work(a);
