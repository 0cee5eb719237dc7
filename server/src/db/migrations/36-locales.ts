/** In which language and with which formats a person reads. */
export const locales = `
ALTER TABLE users ALTER locale SET DEFAULT 'en-GB';
UPDATE users SET locale = DEFAULT;
`;
