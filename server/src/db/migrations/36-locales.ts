/** In which language, with which formats and in which time zone a person reads. */
export const locales = `
ALTER TABLE users ALTER locale SET DEFAULT 'en-GB', ADD time_zone text;
UPDATE users SET locale = DEFAULT;
`;
