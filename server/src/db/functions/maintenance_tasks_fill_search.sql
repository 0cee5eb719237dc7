CREATE OR REPLACE FUNCTION maintenance_tasks_fill_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := folded_tsvector(concat_ws(' ', NEW.title, 'T-' || NEW.task_number,
    (SELECT concat_ws(' ', a.name, a.inventory_number, c.name::text) FROM assets a
      LEFT JOIN asset_categories c
        ON c.organization_id = a.organization_id AND c.id = a.category_id
      WHERE a.organization_id = NEW.organization_id AND a.id = NEW.asset_id),
    NEW.description));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER maintenance_tasks_fill_search
  BEFORE INSERT OR UPDATE OF title, description, asset_id ON maintenance_tasks
  FOR EACH ROW EXECUTE FUNCTION maintenance_tasks_fill_search();

-- Afterwards
UPDATE maintenance_tasks SET description = description;
