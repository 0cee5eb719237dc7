-- An entry gets its place when its transaction commits: a deferred trigger then locks the end of the
-- chain. So no committed entry is outside the chain, and the lock is held for the commit alone. The
-- first entry of a transaction brings the others with it, so that chains are locked in one order.
CREATE OR REPLACE FUNCTION activity_log_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM activity_log WHERE id = NEW.id AND sequence IS NULL) THEN
    PERFORM audit_append(ARRAY(
      SELECT id FROM activity_log WHERE sequence IS NULL AND counted_until IS NULL));
  END IF;
  RETURN NULL;
END $$;

-- A constraint trigger cannot be replaced.
DROP TRIGGER IF EXISTS activity_log_chain ON activity_log;
CREATE CONSTRAINT TRIGGER activity_log_chain AFTER INSERT ON activity_log
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.counted_until IS NULL)
  EXECUTE FUNCTION activity_log_chain();
