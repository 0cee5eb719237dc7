/** What belongs together to be shown, undone and counted: an import, an undo; and what an undo needs of the history. */
export const changeSets = `
CREATE TABLE change_sets (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('import', 'undo')),
  state text NOT NULL CHECK (state IN ('reading', 'planned', 'applying', 'applied')),
  user_id text NOT NULL,
  client_name text,
  title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
  settings jsonb NOT NULL DEFAULT '{}',
  counts jsonb NOT NULL DEFAULT '{}',
  undoes text,
  position text,
  worked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  applied_at timestamptz,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT change_sets_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members ON DELETE CASCADE
);
CREATE INDEX change_sets_created_at_idx ON change_sets (organization_id, created_at, id);
CREATE INDEX change_sets_undoes_idx ON change_sets (organization_id, undoes) WHERE undoes IS NOT NULL;

CREATE TABLE change_set_rows (
  organization_id text NOT NULL,
  change_set_id text NOT NULL,
  line integer NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('create', 'update', 'same', 'wrong', 'conflict')),
  subject_id text,
  name text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',
  stored boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, change_set_id, line),
  CONSTRAINT change_set_rows_change_set_id_fkey FOREIGN KEY (organization_id, change_set_id)
    REFERENCES change_sets ON DELETE CASCADE
);
CREATE INDEX change_set_rows_outcome_idx
  ON change_set_rows (organization_id, change_set_id, outcome, line);
CREATE INDEX change_set_rows_subject_id_idx ON change_set_rows (organization_id, subject_id)
  WHERE subject_id IS NOT NULL;

ALTER TABLE history_events ADD COLUMN change_set_id text, ADD COLUMN before jsonb;
CREATE INDEX history_events_change_set_id_idx
  ON history_events (organization_id, change_set_id, sequence) WHERE change_set_id IS NOT NULL;
CREATE INDEX history_events_client_id_idx
  ON history_events (organization_id, client_id, recorded_at) WHERE client_id IS NOT NULL;
`;
