/** In which language, with which formats and by which clock a person reads. */
export const locales = `
ALTER TABLE users ALTER locale SET DEFAULT 'en-GB', ADD time_zone text;
UPDATE users SET locale = DEFAULT;
ALTER TABLE sign_ups ADD locale text NOT NULL DEFAULT 'en-GB';
`;
