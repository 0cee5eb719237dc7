/** What a person is asked before an app's call is done, and the organizations that ask before deletions. */
export const confirmations = `
ALTER TABLE organizations ADD COLUMN deletion_needs_person boolean NOT NULL DEFAULT false;

CREATE TABLE confirmations (
  organization_id text NOT NULL,
  id text NOT NULL,
  connection_id text NOT NULL,
  user_id text NOT NULL,
  call_hash bytea NOT NULL,
  question text NOT NULL,
  answer text NOT NULL,
  expires_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT confirmations_organization_id_connection_id_call_hash_key UNIQUE (organization_id, connection_id, call_hash),
  CONSTRAINT confirmations_connection_id_fkey FOREIGN KEY (organization_id, connection_id)
    REFERENCES oauth_connections ON DELETE CASCADE,
  CONSTRAINT confirmations_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members ON DELETE CASCADE
);
CREATE INDEX confirmations_user_id_idx ON confirmations (organization_id, user_id);
CREATE INDEX confirmations_expires_at_idx ON confirmations (expires_at);
`;
