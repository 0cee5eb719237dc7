-- Labels of places, problem reports, rounds, photos and files.

CREATE TABLE place_labels (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  workspace_id text NOT NULL,
  -- NULL: the whole workspace.
  location text CHECK (char_length(location) BETWEEN 1 AND 200),
  qr_token text NOT NULL,
  created_by text NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  revoked_at timestamptz,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, qr_token),
  CONSTRAINT place_labels_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id)
    REFERENCES workspaces ON DELETE CASCADE
);
CREATE INDEX place_labels_qr_token_idx ON place_labels (qr_token);
CREATE INDEX place_labels_workspace_id_idx ON place_labels (organization_id, workspace_id);
-- A place has one label until that is revoked.
CREATE UNIQUE INDEX place_labels_live_idx
  ON place_labels (organization_id, workspace_id, lower(coalesce(location, '')))
  WHERE revoked_at IS NULL;

CREATE TABLE problem_reports (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  asset_id text,
  place_id text,
  request_key text NOT NULL,
  description text NOT NULL
    CHECK (char_length(description) BETWEEN 1 AND 2000),
  still_usable boolean NOT NULL,
  state_before text,
  reported_by text REFERENCES users,
  name text,
  email citext,
  status text NOT NULL DEFAULT 'open'
    CHECK (status IN ('open', 'accepted', 'merged', 'answered', 'refused')),
  task_id text,
  merged_into text,
  answer text,
  closed_by text REFERENCES users,
  closed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  usable_again_at timestamptz,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, request_key),
  CONSTRAINT problem_reports_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets ON DELETE CASCADE,
  CONSTRAINT problem_reports_place_id_fkey FOREIGN KEY (organization_id, place_id)
    REFERENCES place_labels ON DELETE CASCADE,
  CONSTRAINT problem_reports_site_check CHECK (num_nonnulls(asset_id, place_id) = 1),
  CONSTRAINT problem_reports_task_id_fkey FOREIGN KEY (organization_id, task_id)
    REFERENCES maintenance_tasks ON DELETE CASCADE,
  CONSTRAINT problem_reports_merged_into_fkey FOREIGN KEY (organization_id, merged_into)
    REFERENCES problem_reports ON DELETE CASCADE,
  CONSTRAINT problem_reports_closed_check CHECK ((status = 'open') = (closed_at IS NULL))
);
CREATE INDEX problem_reports_asset_id_idx ON problem_reports (organization_id, asset_id);
CREATE INDEX problem_reports_place_id_idx ON problem_reports (organization_id, place_id);
CREATE INDEX problem_reports_task_id_idx ON problem_reports (organization_id, task_id);
CREATE INDEX problem_reports_merged_into_idx ON problem_reports (organization_id, merged_into);
CREATE INDEX problem_reports_reported_by_idx
  ON problem_reports (organization_id, reported_by, created_at);
CREATE INDEX problem_reports_open_idx ON problem_reports (organization_id, created_at)
  WHERE status = 'open';
CREATE INDEX problem_reports_unusable_idx ON problem_reports (organization_id, asset_id)
  WHERE NOT still_usable AND usable_again_at IS NULL AND status IN ('open', 'accepted', 'merged');

CREATE TABLE rounds (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  workspace_id text,
  location text CHECK (char_length(location) BETWEEN 1 AND 200),
  started_by text NOT NULL REFERENCES users,
  started_at timestamptz NOT NULL DEFAULT app_now(),
  ended_by text REFERENCES users,
  ended_at timestamptz,
  -- Rounds are evidence. They outlive their workspace and keep its name.
  workspace_name text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT rounds_workspace_id_fkey FOREIGN KEY (organization_id, workspace_id)
    REFERENCES workspaces,
  CONSTRAINT rounds_ended_check CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
  CONSTRAINT rounds_workspace_check CHECK (num_nonnulls(workspace_id, workspace_name) = 1
    AND (workspace_id IS NOT NULL OR ended_at IS NOT NULL))
);
CREATE INDEX rounds_started_at_idx ON rounds (organization_id, started_at, id);
CREATE INDEX rounds_ended_at_idx ON rounds (organization_id, ended_at);
CREATE INDEX rounds_workspace_id_idx ON rounds (organization_id, workspace_id);

-- The scanning device generates the id before it sends the finding, so a retried request is stored
-- once. A round has each asset and each unknown code once, however often they are scanned.
CREATE TABLE round_findings (
  organization_id text NOT NULL,
  round_id text NOT NULL,
  id text NOT NULL,
  outcome text NOT NULL
    CHECK (outcome IN ('seen', 'elsewhere', 'unknown', 'missing')),
  asset_id text,
  code text CHECK (char_length(code) BETWEEN 1 AND 200),
  found_by text REFERENCES users,
  found_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, round_id, id),
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

-- On an asset or a task. A removed comment keeps its place without its text.
CREATE TABLE comments (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  asset_id text,
  task_id text,
  text text CONSTRAINT comments_text_check CHECK (char_length(text) BETWEEN 1 AND 4000),
  client_name text,
  created_by text REFERENCES users,
  task_link_id text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  edited_at timestamptz,
  removed_by text REFERENCES users,
  removed_at timestamptz,
  search tsvector NOT NULL DEFAULT '',
  PRIMARY KEY (organization_id, id),
  CONSTRAINT comments_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets ON DELETE CASCADE,
  CONSTRAINT comments_task_id_fkey FOREIGN KEY (organization_id, task_id)
    REFERENCES maintenance_tasks ON DELETE CASCADE,
  CONSTRAINT comments_task_link_id_fkey FOREIGN KEY (organization_id, task_link_id)
    REFERENCES task_links,
  CONSTRAINT comments_author_check CHECK (num_nonnulls(created_by, task_link_id) = 1),
  CONSTRAINT comments_subject_check CHECK (num_nonnulls(asset_id, task_id) = 1),
  CONSTRAINT comments_removed_check CHECK ((removed_at IS NULL) = (text IS NOT NULL)
    AND (removed_at IS NULL) = (removed_by IS NULL))
);
CREATE INDEX comments_asset_id_idx ON comments (organization_id, asset_id, created_at)
  WHERE asset_id IS NOT NULL;
CREATE INDEX comments_task_id_idx ON comments (organization_id, task_id, created_at)
  WHERE task_id IS NOT NULL;
CREATE INDEX comments_task_link_id_idx ON comments (organization_id, task_link_id)
  WHERE task_link_id IS NOT NULL;
CREATE INDEX comments_search_idx ON comments
  USING gin (organization_id, search);

CREATE TABLE files (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  asset_id text,
  task_id text,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  type text NOT NULL,
  size integer NOT NULL CHECK (size > 0),
  width integer,
  height integer,
  thumbnail bytea,
  moment text CHECK (moment IN ('before', 'after')),
  storage text NOT NULL CHECK (storage IN ('database', 's3')),
  created_by text REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  report_id text,
  comment_id text,
  task_link_id text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT files_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets ON DELETE CASCADE,
  CONSTRAINT files_task_id_fkey FOREIGN KEY (organization_id, task_id)
    REFERENCES maintenance_tasks ON DELETE CASCADE,
  CONSTRAINT files_subject_check CHECK (num_nonnulls(asset_id, task_id, report_id) > 0),
  CONSTRAINT files_report_id_fkey FOREIGN KEY (organization_id, report_id)
    REFERENCES problem_reports ON DELETE CASCADE,
  CONSTRAINT files_comment_id_fkey FOREIGN KEY (organization_id, comment_id)
    REFERENCES comments ON DELETE CASCADE,
  CONSTRAINT files_task_link_id_fkey FOREIGN KEY (organization_id, task_link_id)
    REFERENCES task_links
);
CREATE INDEX files_asset_id_idx ON files (organization_id, asset_id, created_at);
CREATE INDEX files_task_id_idx ON files (organization_id, task_id, created_at);
CREATE INDEX files_size_idx ON files (organization_id, size);
CREATE INDEX files_report_id_idx ON files (organization_id, report_id);
CREATE INDEX files_comment_id_idx ON files (organization_id, comment_id)
  WHERE comment_id IS NOT NULL;
CREATE INDEX files_task_link_id_idx ON files (organization_id, task_link_id)
  WHERE task_link_id IS NOT NULL;

CREATE TABLE file_pieces (
  organization_id text NOT NULL,
  file_id text NOT NULL,
  position integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (organization_id, file_id, position),
  CONSTRAINT file_pieces_file_id_fkey FOREIGN KEY (organization_id, file_id)
    REFERENCES files ON DELETE CASCADE
);
ALTER TABLE file_pieces ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE file_objects (
  key text NOT NULL PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT app_now()
);

CREATE TABLE kept_photos (
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  content bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX kept_photos_created_at_idx ON kept_photos (created_at);
