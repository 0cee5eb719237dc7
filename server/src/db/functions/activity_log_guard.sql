CREATE OR REPLACE FUNCTION activity_log_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.sequence IS NULL
      OR current_setting('fettle.erase', true) = 'on') THEN RETURN NEW; END IF;
  -- Allows deleting an organization, and entries past their retention from the beginning of the
  -- chain.
  IF TG_OP = 'DELETE' AND (current_setting('fettle.force_delete', true) = 'on'
      OR EXISTS (SELECT FROM audit_checkpoints
        WHERE chain = coalesce(OLD.organization_id, 'server') AND kind = 'start'
          AND sequence >= OLD.sequence)) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the activity log is append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER activity_log_guard BEFORE UPDATE OR DELETE ON activity_log
  FOR EACH ROW EXECUTE FUNCTION activity_log_guard();

CREATE OR REPLACE TRIGGER activity_log_guard_truncate BEFORE TRUNCATE ON activity_log
  FOR EACH STATEMENT EXECUTE FUNCTION activity_log_guard();
