/** Who signs up says where the organization is. Those that wait keep what it was without. */
export const signUpPlace = `
ALTER TABLE sign_ups ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';
ALTER TABLE sign_ups ADD COLUMN currency char(3) NOT NULL DEFAULT 'USD';
`;
