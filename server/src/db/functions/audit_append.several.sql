-- Adds entries to the hash chains of the activity log: one chain per organization, and one for the
-- server.
--
-- The entries of a transaction are added together, so the row of their chain is written once.
-- Writing that row once per entry takes quadratic time.
--
-- The hash of an entry covers salted digests of the values that may name a person. Erasing deletes
-- the value and its salt, and the chain stays valid.
CREATE OR REPLACE FUNCTION audit_append(entry_ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entry activity_log;
  chain text;
  present text;
  place bigint;
  last bytea;
BEGIN
  FOR entry IN SELECT * FROM activity_log WHERE id = ANY (entry_ids) AND sequence IS NULL
    ORDER BY coalesce(organization_id, 'server'), id FOR UPDATE
  LOOP
    chain := coalesce(entry.organization_id, 'server');
    IF chain IS DISTINCT FROM present THEN
      UPDATE audit_chains SET sequence = place, hash = last WHERE id = present;
      INSERT INTO audit_chains AS c VALUES (chain, 0, decode(repeat('00', 32), 'hex'))
        ON CONFLICT ON CONSTRAINT audit_chains_pkey DO UPDATE SET sequence = c.sequence
        RETURNING sequence, hash INTO place, last;
      present := chain;
    END IF;
    place := place + 1;
    SELECT coalesce(jsonb_object_agg(name, salt), '{}'),
        coalesce(jsonb_object_agg(name, encode(sha256(convert_to(canonical_json(
          jsonb_build_object('salt', salt, 'value', value)), 'UTF8')), 'hex')), '{}')
      INTO entry.salts, entry.digests
      FROM (SELECT name, value, replace(gen_random_uuid()::text, '-', '') AS salt
        FROM jsonb_each(audit_personal(entry)) AS personal (name, value)) salted;
    last := sha256(convert_to(canonical_json(jsonb_build_object(
      'id', entry.id, 'sequence', place, 'previous', encode(last, 'hex'),
      'organization_id', entry.organization_id, 'user_id', entry.user_id, 'type', entry.type,
      'details', entry.details - '{name,former_name,email,former_email,break_glass_owner}'::text[],
      'personal', entry.digests,
      'created_at', to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    )), 'UTF8'));
    UPDATE activity_log SET sequence = place, hash = last, digests = entry.digests, salts = entry.salts
      WHERE id = entry.id;
  END LOOP;
  UPDATE audit_chains SET sequence = place, hash = last WHERE id = present;
END $$;
