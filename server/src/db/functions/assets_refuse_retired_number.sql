-- Runs after the row is in the unique index. A transaction that waited there for a renaming
-- transaction sees the retired number.
CREATE OR REPLACE FUNCTION assets_refuse_retired_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM retired_inventory_numbers r
      WHERE r.organization_id = NEW.organization_id AND r.inventory_number = NEW.inventory_number) THEN
    RAISE EXCEPTION 'inventory number % was retired', NEW.inventory_number
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'retired_inventory_numbers_pkey';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER assets_refuse_retired_number
  AFTER INSERT OR UPDATE OF inventory_number ON assets
  FOR EACH ROW EXECUTE FUNCTION assets_refuse_retired_number();
