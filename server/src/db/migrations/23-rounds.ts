/** Rounds through a workspace, and what each has found: what is there, what is not, and what belongs elsewhere. */
export const rounds = `
CREATE TABLE rounds (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  workspace_id text NOT NULL,
  location text CONSTRAINT rounds_location_check CHECK (char_length(location) BETWEEN 1 AND 200),
  started_by text NOT NULL CONSTRAINT rounds_started_by_fkey REFERENCES users,
  started_at timestamptz NOT NULL DEFAULT fettle_now(),
  ended_by text CONSTRAINT rounds_ended_by_fkey REFERENCES users,
  ended_at timestamptz,
  CONSTRAINT rounds_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT rounds_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id)
    REFERENCES workspaces ON DELETE CASCADE,
  CONSTRAINT rounds_ended_check CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);
CREATE INDEX rounds_started_at_idx ON rounds (organization_id, started_at, id);
CREATE INDEX rounds_ended_at_idx ON rounds (organization_id, ended_at);
CREATE INDEX rounds_workspace_id_idx ON rounds (organization_id, workspace_id);

-- The id is of who scanned, made before it is sent: what is sent twice is stored once. An asset and an
-- unknown code are found once in a round, however often they are scanned.
CREATE TABLE round_findings (
  organization_id text NOT NULL,
  round_id text NOT NULL,
  id text NOT NULL,
  outcome text NOT NULL CONSTRAINT round_findings_outcome_check
    CHECK (outcome IN ('seen', 'elsewhere', 'unknown', 'missing')),
  asset_id text,
  code text CONSTRAINT round_findings_code_check CHECK (char_length(code) BETWEEN 1 AND 200),
  found_by text CONSTRAINT round_findings_found_by_fkey REFERENCES users,
  found_at timestamptz NOT NULL,
  CONSTRAINT round_findings_pkey PRIMARY KEY (organization_id, round_id, id),
  CONSTRAINT round_findings_organization_id_round_id_asset_id_key
    UNIQUE (organization_id, round_id, asset_id),
  CONSTRAINT round_findings_organization_id_round_id_code_key
    UNIQUE (organization_id, round_id, code),
  CONSTRAINT round_findings_round_id_fkey FOREIGN KEY (organization_id, round_id)
    REFERENCES rounds ON DELETE CASCADE,
  CONSTRAINT round_findings_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets ON DELETE CASCADE,
  CONSTRAINT round_findings_subject_check CHECK ((outcome = 'unknown') = (asset_id IS NULL)
    AND (asset_id IS NULL) = (code IS NOT NULL) AND (outcome = 'missing') = (found_by IS NULL))
);
CREATE INDEX round_findings_asset_id_idx ON round_findings (organization_id, asset_id);
`;
