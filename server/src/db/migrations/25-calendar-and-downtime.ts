/** Addresses that calendar programs read; and what was down, by when it ended, for the assets that were down longest. */
export const calendarAndDowntime = `
CREATE TABLE calendar_feeds (
  organization_id text NOT NULL,
  user_id text NOT NULL,
  token_hash bytea NOT NULL,
  covers text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  last_read_at timestamptz,
  PRIMARY KEY (organization_id, user_id),
  CONSTRAINT calendar_feeds_organization_id_token_hash_key UNIQUE (organization_id, token_hash),
  CONSTRAINT calendar_feeds_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members ON DELETE CASCADE,
  CONSTRAINT calendar_feeds_covers_check CHECK (covers IN ('own', 'all'))
);

CREATE INDEX asset_state_periods_down_idx ON asset_state_periods
  (organization_id, (coalesce(ended_at, 'infinity'::timestamptz)))
  INCLUDE (asset_id, started_at, ended_at, workspace_id)
  WHERE state IN ('in_maintenance', 'out_of_service') AND NOT hidden;
`;
