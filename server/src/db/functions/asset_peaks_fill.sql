CREATE OR REPLACE FUNCTION asset_peaks_fill() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT a.workspace_id, a.criticality INTO NEW.workspace_id, NEW.criticality FROM assets a
    WHERE a.organization_id = NEW.organization_id AND a.id = NEW.asset_id;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER asset_peaks_fill BEFORE INSERT ON asset_peaks
  FOR EACH ROW WHEN (NEW.criticality IS NULL) EXECUTE FUNCTION asset_peaks_fill();
