-- RFC 8785 for the contents of the log: keys of ASCII letters, and integers.
CREATE OR REPLACE FUNCTION canonical_json(value jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  CASE jsonb_typeof(value)
    WHEN 'object' THEN
      RETURN (SELECT '{' || coalesce(string_agg(to_json(name)::text || ':' || canonical_json(part),
          ',' ORDER BY name COLLATE "C"), '') || '}'
        FROM jsonb_each(value) AS member (name, part));
    WHEN 'array' THEN
      RETURN (SELECT '[' || coalesce(string_agg(canonical_json(part), ',' ORDER BY place), '') || ']'
        FROM jsonb_array_elements(value) WITH ORDINALITY AS element (part, place));
    ELSE RETURN value::text;
  END CASE;
END $$;
