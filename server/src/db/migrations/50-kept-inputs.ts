/** Typed forms outlast their session, and photos a refused report, for an hour. */
export const keptInputs = `
CREATE TABLE typed_forms (
  user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  content_encrypted bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now()
);
CREATE INDEX typed_forms_created_at_idx ON typed_forms (created_at);

CREATE TABLE kept_photos (
  organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  content bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX kept_photos_created_at_idx ON kept_photos (created_at);
`;
