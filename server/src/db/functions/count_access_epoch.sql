-- Changing or deleting a person's role in a workspace waits for that person's running changes.
-- Deleting a workspace deletes its roles without waiting.
CREATE OR REPLACE FUNCTION count_access_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE organization_members SET access_epoch = access_epoch + 1
  WHERE organization_id = OLD.organization_id AND user_id = OLD.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER workspace_members_access_epoch
  AFTER UPDATE OF role OR DELETE ON workspace_members
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION count_access_epoch();
