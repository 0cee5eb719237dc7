/** Rounds are evidence: they outlive their workspace, under the name it had. */
export const roundsStay = `
ALTER TABLE rounds ALTER COLUMN workspace_id DROP NOT NULL,
  ADD COLUMN workspace_name text,
  DROP CONSTRAINT rounds_workspace_id_fkey,
  ADD CONSTRAINT rounds_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id)
    REFERENCES workspaces,
  ADD CONSTRAINT rounds_workspace_check CHECK (num_nonnulls(workspace_id, workspace_name) = 1
    AND (workspace_id IS NOT NULL OR ended_at IS NOT NULL));
`;
