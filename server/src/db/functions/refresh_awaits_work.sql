CREATE OR REPLACE FUNCTION refresh_awaits_work(organization text, asset text)
RETURNS void LANGUAGE sql AS $$
  UPDATE assets a SET awaits_work = NOT a.awaits_work
    WHERE a.organization_id = organization AND a.id = asset AND a.state = 'in_maintenance'
      AND awaits_work(a) <> a.awaits_work $$;
