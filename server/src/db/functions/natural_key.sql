-- Sorts "Pump 2" before "Pump 10": lower case, with numbers padded to ten digits. The embedded
-- database has no collation for this.
CREATE OR REPLACE FUNCTION natural_key(name text)
RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(regexp_replace(lower(name), '([0-9]+)', '0000000000\1', 'g'),
  '0{1,10}([0-9]{10,})', '\1', 'g');

-- Afterwards
UPDATE assets SET name_key = natural_key(name) WHERE name_key <> natural_key(name);
