CREATE OR REPLACE FUNCTION assets_fill_awaits_work() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.awaits_work := awaits_work(NEW);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER assets_fill_awaits_work BEFORE INSERT OR UPDATE OF state ON assets
  FOR EACH ROW WHEN (NEW.state IN ('in_maintenance', 'out_of_service') OR NEW.awaits_work)
  EXECUTE FUNCTION assets_fill_awaits_work();
