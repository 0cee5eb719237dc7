/** What people typed outlasts their session for an hour. */
export const keptInputs = `
CREATE TABLE typed_forms (
  user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  content_encrypted bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now()
);
CREATE INDEX typed_forms_created_at_idx ON typed_forms (created_at);
`;
