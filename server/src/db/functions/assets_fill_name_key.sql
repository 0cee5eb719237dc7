CREATE OR REPLACE FUNCTION assets_fill_name_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_key := natural_key(NEW.name);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER assets_fill_name_key BEFORE INSERT OR UPDATE OF name ON assets
  FOR EACH ROW EXECUTE FUNCTION assets_fill_name_key();
