/**
 * The hash chains of the activity log, one for each organization and one of the server.
 *
 * An entry gets its place when its transaction commits: a deferred trigger then locks the end of the
 * chain. So no committed entry is outside the chain, whatever wrote it, and the lock is the last one of
 * the transaction and held for the commit alone.
 *
 * The hash of an entry covers values that may name a person by a salted digest. Erasing takes the
 * value and its salt away, and the chain stays as it is.
 */
export const auditChain = `
ALTER TABLE activity_log ADD digests jsonb, ADD salts jsonb;
CREATE UNIQUE INDEX activity_log_sequence_idx
  ON activity_log ((coalesce(organization_id, 'server')), sequence);
CREATE INDEX activity_log_counted_until_idx ON activity_log (counted_until) WHERE sequence IS NULL;

CREATE TABLE audit_chains (
  id text PRIMARY KEY,
  sequence bigint NOT NULL,
  hash bytea NOT NULL
);

CREATE TABLE audit_checkpoints (
  chain text NOT NULL,
  sequence bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('end', 'start')),
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  public_key text NOT NULL,
  signature text NOT NULL,
  PRIMARY KEY (chain, sequence, kind)
);

-- RFC 8785 for what the log holds: names of letters, and whole numbers.
CREATE FUNCTION canonical_json(value jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
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

-- The values of an entry that may name a person.
CREATE FUNCTION audit_personal(entry activity_log) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(name, value), '{}') FROM (
    SELECT * FROM jsonb_each(jsonb_build_object('actor_name', entry.actor_name,
      'ip_address', entry.ip_address, 'user_agent', entry.user_agent)) AS own (name, value)
    UNION ALL
    SELECT 'details.' || name, value FROM jsonb_each(entry.details) AS detail (name, value)
    WHERE name IN ('name', 'former_name', 'email', 'way_back')) personal
  WHERE value <> 'null'
$$;

CREATE FUNCTION audit_append(entry_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  entry activity_log;
  place bigint;
  former bytea;
  own bytea;
BEGIN
  SELECT * INTO entry FROM activity_log WHERE id = entry_id AND sequence IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO audit_chains AS c VALUES (coalesce(entry.organization_id, 'server'), 1,
      decode(repeat('00', 32), 'hex'))
    ON CONFLICT ON CONSTRAINT audit_chains_pkey DO UPDATE SET sequence = c.sequence + 1
    RETURNING sequence, hash INTO place, former;
  SELECT coalesce(jsonb_object_agg(name, salt), '{}'),
      coalesce(jsonb_object_agg(name, encode(sha256(convert_to(canonical_json(
        jsonb_build_object('salt', salt, 'value', value)), 'UTF8')), 'hex')), '{}')
    INTO entry.salts, entry.digests
    FROM (SELECT name, value, replace(gen_random_uuid()::text, '-', '') AS salt
      FROM jsonb_each(audit_personal(entry)) AS personal (name, value)) salted;
  own := sha256(convert_to(canonical_json(jsonb_build_object(
    'id', entry.id, 'sequence', place, 'previous', encode(former, 'hex'),
    'organization_id', entry.organization_id, 'user_id', entry.user_id, 'type', entry.type,
    'details', entry.details - '{name,former_name,email,way_back}'::text[],
    'personal', entry.digests,
    'created_at', to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  )), 'UTF8'));
  UPDATE activity_log SET sequence = place, hash = own, digests = entry.digests, salts = entry.salts
    WHERE id = entry.id;
  UPDATE audit_chains SET hash = own WHERE id = coalesce(entry.organization_id, 'server');
END $$;

-- The first entry of a transaction brings the others with it: chains are locked in one order.
CREATE FUNCTION activity_log_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM activity_log WHERE id = NEW.id AND sequence IS NULL) THEN
    PERFORM audit_append(id) FROM (
      SELECT id FROM activity_log WHERE sequence IS NULL AND counted_until IS NULL
      ORDER BY coalesce(organization_id, 'server'), id) own;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER activity_log_chain AFTER INSERT ON activity_log
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.counted_until IS NULL)
  EXECUTE FUNCTION activity_log_chain();

CREATE FUNCTION activity_log_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.sequence IS NULL
      OR current_setting('fettle.erase', true) = 'on') THEN RETURN NEW; END IF;
  -- An organization that goes, or what has outlived its retention, from the beginning of the chain.
  IF TG_OP = 'DELETE' AND (current_setting('fettle.force_delete', true) = 'on'
      OR EXISTS (SELECT FROM audit_checkpoints
        WHERE chain = coalesce(OLD.organization_id, 'server') AND kind = 'start'
          AND sequence >= OLD.sequence)) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the activity log is append-only' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER activity_log_guard BEFORE UPDATE OR DELETE ON activity_log
  FOR EACH ROW EXECUTE FUNCTION activity_log_guard();
CREATE TRIGGER activity_log_guard_truncate BEFORE TRUNCATE ON activity_log
  FOR EACH STATEMENT EXECUTE FUNCTION activity_log_guard();
`;
