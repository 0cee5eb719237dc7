-- Before migrations: indexes call it.

-- Folds accents, so a search for "Wojcik" finds "Wójcik" and "strasse" finds "Straße". The embedded
-- database has no extension for folding.
CREATE OR REPLACE FUNCTION fettle_fold(value text)
RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN octet_length(value) = char_length(value) THEN lower(value) ELSE
  translate(
    replace(replace(replace(replace(
      regexp_replace(lower(normalize(value, NFKD)), '[\u0300-\u036f]', '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øłđðħıŧŋ', 'olddhitn') END;

-- Afterwards
REINDEX INDEX assets_search_idx;
REINDEX INDEX maintenance_tasks_search_idx;
UPDATE assets SET description = description;
UPDATE maintenance_tasks SET description = description;
SET LOCAL fettle.erase = 'on';
UPDATE history_events SET actor_name = actor_name;
SET LOCAL fettle.erase = 'off';
