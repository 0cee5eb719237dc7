/** Work is where its asset is, hidden while that is retired, whoever writes it. */
export const workWithAsset = `
CREATE OR REPLACE FUNCTION maintenance_tasks_fill() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP = 'INSERT' OR NEW.asset_id IS DISTINCT FROM OLD.asset_id) AND NEW.asset_id IS NOT NULL THEN
    -- With the lock, an asset that somebody else is moving takes this work along or is waited for.
    SELECT a.workspace_id, a.state = 'deleted', a.criticality, a.category_id
      INTO NEW.workspace_id, NEW.hidden, NEW.criticality, NEW.category_id FROM assets a
      WHERE a.organization_id = NEW.organization_id AND a.id = NEW.asset_id FOR SHARE;
    NEW.criticality := coalesce(NEW.criticality, 'medium');
    NEW.hidden := coalesce(NEW.hidden, false);
  ELSIF NEW.asset_id IS NULL THEN
    NEW.hidden := false;
  END IF;
  NEW.in_time := CASE WHEN NEW.state IN ('completed', 'cancelled') THEN in_time(NEW) END;
  RETURN NEW;
END $$;
-- What came to an asset while that was moved or retired, before there was the lock.
UPDATE maintenance_tasks t SET workspace_id = a.workspace_id, hidden = a.state = 'deleted' FROM assets a
  WHERE a.organization_id = t.organization_id AND a.id = t.asset_id
    AND (t.workspace_id IS DISTINCT FROM a.workspace_id OR t.hidden <> (a.state = 'deleted'));
`;
