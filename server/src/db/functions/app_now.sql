-- Before migrations: column defaults call it.

-- The only clock of all statements. Returns the start of the statement, or the time that a
-- transaction sets to replay the past (sample data). It is constant within a statement, so columns
-- agree and an index range can end at it. STABLE lets PostgreSQL inline it.
CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('fettle.now', true), '')::timestamptz, statement_timestamp())
$$;
