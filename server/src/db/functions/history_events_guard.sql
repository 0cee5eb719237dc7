CREATE OR REPLACE FUNCTION history_events_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('fettle.force_delete', true) = 'on' THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND (current_setting('fettle.erase', true) = 'on'
      OR to_jsonb(NEW) - 'visible_in' = to_jsonb(OLD) - 'visible_in') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'history events are append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER history_events_guard BEFORE UPDATE OR DELETE ON history_events
  FOR EACH ROW EXECUTE FUNCTION history_events_guard();

CREATE OR REPLACE TRIGGER history_events_guard_truncate BEFORE TRUNCATE ON history_events
  FOR EACH STATEMENT EXECUTE FUNCTION history_events_guard();
