/**
 * Calls that change several records are change sets, and the rows of an import are stored wholes before
 * their parts.
 */
export const callsAndLevels = `
ALTER TABLE change_sets DROP CONSTRAINT change_sets_kind_check,
  ADD CONSTRAINT change_sets_kind_check CHECK (kind IN ('import', 'undo', 'call'));
ALTER TABLE change_set_rows ADD COLUMN level integer NOT NULL DEFAULT 0;
CREATE INDEX change_set_rows_pending_idx ON change_set_rows (organization_id, change_set_id, level, line)
  WHERE outcome IN ('create', 'update') AND NOT stored;
UPDATE change_sets SET position = '0 ' || position WHERE kind = 'import' AND state = 'applying';
`;
