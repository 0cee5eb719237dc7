/**
 * Searches find "Wójcik" by "Wojcik" and "Straße" by "strasse". The embedded database has no
 * extension for that. The functions that fill the search columns stay as they are but for this. And what
 * clients declare is no longer kept with the connection: their session ids say it.
 */
export const foldedSearch = `
CREATE FUNCTION fettle_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN octet_length(value) = char_length(value) THEN lower(value) ELSE
  translate(
    replace(replace(replace(replace(
      regexp_replace(lower(normalize(value, NFKD)), '[\\u0300-\\u036f]', '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øłđðħıŧŋ', 'olddhitn') END;

CREATE FUNCTION folded_tsvector(value text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('simple', fettle_fold(value));

DO $$
DECLARE
  filler oid;
BEGIN
  FOR filler IN SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
      AND proname IN ('assets_fill_search', 'maintenance_tasks_fill_search', 'history_events_fill_search')
  LOOP
    EXECUTE replace(pg_get_functiondef(filler), 'to_tsvector(''simple'', ', 'folded_tsvector(');
  END LOOP;
END $$;
UPDATE assets SET description = description;
UPDATE maintenance_tasks SET description = description;
SET LOCAL fettle.erase = 'on';
UPDATE history_events SET actor_name = actor_name;
SET LOCAL fettle.erase = 'off';

DROP INDEX assets_search_idx, maintenance_tasks_search_idx;
CREATE INDEX assets_search_idx ON assets USING gin (organization_id, search,
  fettle_fold(name) gin_trgm_ops, fettle_fold(inventory_number) gin_trgm_ops,
  fettle_fold(serial_number) gin_trgm_ops, tags, name gin_trgm_ops, inventory_number gin_trgm_ops);
CREATE INDEX maintenance_tasks_search_idx ON maintenance_tasks
  USING gin (organization_id, search, fettle_fold(title) gin_trgm_ops);

ALTER TABLE oauth_connections DROP COLUMN declares_forms;
`;
