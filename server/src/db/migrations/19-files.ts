/** Photos and files of assets and tasks, in pieces that a connection reads one after the other. */
export const files = `
CREATE TABLE files (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  asset_id text,
  task_id text,
  name text NOT NULL CONSTRAINT files_name_check CHECK (char_length(name) BETWEEN 1 AND 200),
  type text NOT NULL,
  size integer NOT NULL CONSTRAINT files_size_check CHECK (size > 0),
  width integer,
  height integer,
  thumbnail bytea,
  storage text NOT NULL CONSTRAINT files_storage_check CHECK (storage IN ('database', 's3')),
  created_by text CONSTRAINT files_created_by_fkey REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  CONSTRAINT files_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT files_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets ON DELETE CASCADE,
  CONSTRAINT files_task_id_fkey FOREIGN KEY (organization_id, task_id)
    REFERENCES maintenance_tasks ON DELETE CASCADE,
  CONSTRAINT files_subject_check CHECK (num_nonnulls(asset_id, task_id) > 0)
);
CREATE INDEX files_asset_id_idx ON files (organization_id, asset_id, created_at);
CREATE INDEX files_task_id_idx ON files (organization_id, task_id, created_at);
CREATE INDEX files_size_idx ON files (organization_id, size);

CREATE TABLE file_pieces (
  organization_id text NOT NULL,
  file_id text NOT NULL,
  position integer NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT file_pieces_pkey PRIMARY KEY (organization_id, file_id, position),
  CONSTRAINT file_pieces_file_id_fkey FOREIGN KEY (organization_id, file_id)
    REFERENCES files ON DELETE CASCADE
);
ALTER TABLE file_pieces ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE file_objects (
  key text NOT NULL CONSTRAINT file_objects_pkey PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT fettle_now()
);
`;
