/** People may choose when what they allow an app ends by itself. */
export const connectionEnds = `
ALTER TABLE oauth_authorization_codes ADD COLUMN connection_days integer
  CONSTRAINT oauth_authorization_codes_connection_days_check CHECK (connection_days > 0);
ALTER TABLE oauth_connections ADD COLUMN expires_at timestamptz;
`;
