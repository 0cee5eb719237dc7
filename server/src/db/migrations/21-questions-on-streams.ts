/**
 * What clients with a handshake are asked on the stream of their call. Of connections that are there
 * already nobody knows who uses them, so they count as without forms.
 */
export const questionsOnStreams = `
ALTER TABLE oauth_connections ADD COLUMN declares_forms boolean;
UPDATE oauth_connections SET declares_forms = false;
ALTER TABLE confirmations ADD COLUMN response jsonb;
`;
