CREATE OR REPLACE FUNCTION comments_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := folded_tsvector(coalesce(NEW.text, ''));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER comments_fill_search BEFORE INSERT OR UPDATE OF text ON comments
  FOR EACH ROW EXECUTE FUNCTION comments_fill_search();

-- Afterwards
UPDATE comments SET text = text;
