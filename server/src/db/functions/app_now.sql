-- Before migrations: column defaults call it.

-- The one clock of all statements: the time at which the statement began, or the time that a
-- transaction sets to replay the past (sample data). It stands still within a statement, so columns
-- agree and an index range can end at it. It is as stable as what it calls, so that it is inlined.
CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('fettle.now', true), '')::timestamptz, statement_timestamp())
$$;
