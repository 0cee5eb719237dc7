CREATE OR REPLACE FUNCTION audit_append(entry_id bigint) RETURNS void LANGUAGE sql AS $$
  SELECT audit_append(ARRAY[entry_id])
$$;
