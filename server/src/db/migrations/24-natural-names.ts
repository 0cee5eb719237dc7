/**
 * What assets are sorted by, so that "Pump 2" comes before "Pump 10": the name in small letters, with
 * the numbers in it filled up to ten digits. A collation would do the same, but the embedded database
 * has none. And changes of many records in one go, as another kind of change set.
 */
export const naturalNames = `
CREATE FUNCTION natural_key(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(regexp_replace(lower(name), '([0-9]+)', '0000000000\\1', 'g'),
  '0{1,10}([0-9]{10,})', '\\1', 'g');

ALTER TABLE assets ADD COLUMN name_key text NOT NULL DEFAULT '';
CREATE FUNCTION assets_fill_name_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_key := natural_key(NEW.name);
  RETURN NEW;
END $$;
UPDATE assets SET name_key = natural_key(name);
CREATE TRIGGER assets_fill_name_key BEFORE INSERT OR UPDATE OF name ON assets
  FOR EACH ROW EXECUTE FUNCTION assets_fill_name_key();

DROP INDEX assets_name_idx, assets_workspace_id_name_idx, assets_state_idx, assets_criticality_idx,
  assets_not_placed_idx;
CREATE INDEX assets_name_idx ON assets (organization_id, name_key, id) WHERE state <> 'deleted';
CREATE INDEX assets_workspace_id_name_idx ON assets (organization_id, workspace_id, name_key, id);
CREATE INDEX assets_state_idx ON assets (organization_id, state, name_key, id);
CREATE INDEX assets_criticality_idx ON assets (organization_id, criticality, name_key, id)
  WHERE state <> 'deleted';
CREATE INDEX assets_not_placed_idx ON assets (organization_id, name_key, id)
  WHERE workspace_id IS NULL AND state <> 'deleted';

ALTER TABLE change_sets DROP CONSTRAINT change_sets_kind_check;
ALTER TABLE change_sets ADD CONSTRAINT change_sets_kind_check
  CHECK (kind IN ('import', 'undo', 'call', 'bulk'));
`;
