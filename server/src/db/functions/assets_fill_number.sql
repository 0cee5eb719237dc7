-- Gives an asset the organization's next free number. The row lock keeps others from taking the same
-- one. Numbers that people set by hand, and retired ones, are skipped.
CREATE OR REPLACE FUNCTION assets_fill_number() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  o organizations;
BEGIN
  SELECT * INTO o FROM organizations WHERE id = NEW.organization_id FOR NO KEY UPDATE;
  LOOP
    -- At least six digits. lpad alone would cut off a seventh.
    NEW.inventory_number := o.inventory_prefix || '-' ||
      lpad(o.next_inventory_seq::text, greatest(6, length(o.next_inventory_seq::text)), '0');
    o.next_inventory_seq := o.next_inventory_seq + 1;
    EXIT WHEN NOT EXISTS (SELECT FROM assets a
        WHERE a.organization_id = NEW.organization_id AND a.inventory_number = NEW.inventory_number)
      AND NOT EXISTS (SELECT FROM retired_inventory_numbers r
        WHERE r.organization_id = NEW.organization_id AND r.inventory_number = NEW.inventory_number);
  END LOOP;
  UPDATE organizations SET next_inventory_seq = o.next_inventory_seq WHERE id = NEW.organization_id;
  RETURN NEW;
END $$;

-- Its name comes before assets_fill_search, which needs the number.
CREATE OR REPLACE TRIGGER assets_fill_number
  BEFORE INSERT ON assets
  FOR EACH ROW WHEN (NEW.inventory_number IS NULL) EXECUTE FUNCTION assets_fill_number();
