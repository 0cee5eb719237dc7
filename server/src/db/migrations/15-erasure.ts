/**
 * What lets a person be forgotten, and an organization go.
 *
 * The hash of an entry of the activity log covers values that may name a person by a salted digest.
 * Erasing takes the value and its salt away, and the chain stays as it is. Chains that were made
 * before are made anew, in their order and without their signatures.
 */
export const erasure = `
ALTER TABLE users ALTER email DROP NOT NULL,
  ADD CONSTRAINT users_erased_check CHECK (email IS NOT NULL OR deactivated_at IS NOT NULL);

ALTER TABLE activity_log ADD digests jsonb, ADD salts jsonb;

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

CREATE OR REPLACE FUNCTION audit_append(entry_id bigint) RETURNS void LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE FUNCTION activity_log_guard() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE FUNCTION history_events_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('fettle.force_delete', true) = 'on' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND current_setting('fettle.erase', true) = 'on' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'history events are append-only' USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER history_events_fill_search ON history_events;
CREATE TRIGGER history_events_fill_search BEFORE INSERT OR UPDATE OF actor_name, changes
  ON history_events FOR EACH ROW EXECUTE FUNCTION history_events_fill_search();

-- Nobody asks for the figures of an organization that goes.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT tgname AS name, tgrelid::regclass AS of, pg_get_triggerdef(oid) AS definition
      FROM pg_trigger WHERE tgname LIKE '%\\_write\\_figures' LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', one.name, one.of);
    EXECUTE replace(one.definition, 'FOR EACH ROW',
      'FOR EACH ROW WHEN (current_setting(''fettle.force_delete'', true) IS DISTINCT FROM ''on'')');
  END LOOP;
END $$;

SET LOCAL fettle.erase = 'on';
DELETE FROM audit_checkpoints;
DELETE FROM audit_chains;
DO $$
DECLARE
  entry record;
BEGIN
  FOR entry IN SELECT id FROM activity_log WHERE sequence IS NOT NULL
      ORDER BY coalesce(organization_id, 'server'), sequence LOOP
    UPDATE activity_log SET sequence = NULL, hash = NULL WHERE id = entry.id;
    PERFORM audit_append(entry.id);
  END LOOP;
END $$;
SET LOCAL fettle.erase = 'off';
`;
