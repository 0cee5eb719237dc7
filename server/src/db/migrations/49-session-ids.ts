/** A client declares forms for its session, whose id says so; nothing is stored about it. */
export const sessionIds = `
ALTER TABLE oauth_connections DROP COLUMN declares_forms;
`;
