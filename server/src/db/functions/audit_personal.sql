-- Returns the values of an entry that may name a person.
CREATE OR REPLACE FUNCTION audit_personal(entry activity_log)
RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(name, value), '{}') FROM (
    SELECT * FROM jsonb_each(jsonb_build_object('actor_name', entry.actor_name,
      'ip_address', entry.ip_address, 'user_agent', entry.user_agent)) AS own (name, value)
    UNION ALL
    SELECT 'details.' || name, value FROM jsonb_each(entry.details) AS detail (name, value)
    WHERE name IN ('name', 'former_name', 'email', 'former_email', 'break_glass_owner')) personal
  WHERE value <> 'null'
$$;
