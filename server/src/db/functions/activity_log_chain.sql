-- A deferred trigger locks the end of the chain at commit and adds the entries. No committed entry
-- is outside the chain, and the lock lasts only for the commit. The first entry of a transaction
-- adds all others, so chains are locked in one order.
CREATE OR REPLACE FUNCTION activity_log_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM activity_log WHERE id = NEW.id AND sequence IS NULL) THEN
    PERFORM audit_append(ARRAY(
      SELECT id FROM activity_log WHERE sequence IS NULL AND counted_until IS NULL));
  END IF;
  RETURN NULL;
END $$;

-- PostgreSQL can't replace a constraint trigger.
DROP TRIGGER IF EXISTS activity_log_chain ON activity_log;
CREATE CONSTRAINT TRIGGER activity_log_chain AFTER INSERT ON activity_log
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.counted_until IS NULL)
  EXECUTE FUNCTION activity_log_chain();
