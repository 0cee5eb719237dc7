/** That the time of a connection is over is its end, with a line in the activity log. */
export const expiredConnections = `
ALTER TABLE oauth_connections DROP CONSTRAINT oauth_connections_revoked_reason_check,
  ADD CONSTRAINT oauth_connections_revoked_reason_check CHECK (revoked_reason IN
    ('disconnected', 'revoked_by_client', 'refresh_reuse', 'code_reuse', 'member_removed',
      'too_many', 'expired'));
CREATE INDEX oauth_connections_expires_at_idx ON oauth_connections (expires_at) WHERE revoked_at IS NULL;
`;
