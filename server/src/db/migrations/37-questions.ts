/** What a person is asked is kept as data. Questions wait for minutes: those from before are asked again. */
export const questions = `
DELETE FROM confirmations;
ALTER TABLE confirmations ALTER question TYPE jsonb USING to_jsonb(question);
`;
