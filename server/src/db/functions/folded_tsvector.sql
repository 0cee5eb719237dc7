-- Returns the words of a text for full-text search, without accents.
CREATE OR REPLACE FUNCTION folded_tsvector(value text)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('simple', fettle_fold(value));

-- Afterwards
UPDATE assets SET description = description;
UPDATE maintenance_tasks SET description = description;
UPDATE comments SET text = text;
SET LOCAL fettle.erase = 'on';
UPDATE history_events SET actor_name = actor_name;
SET LOCAL fettle.erase = 'off';
