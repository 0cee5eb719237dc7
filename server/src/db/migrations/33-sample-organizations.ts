/** An organization to play in, at most one of a person; without an owner it waits for its deletion. */
export const sampleOrganizations = `
ALTER TABLE organizations ADD COLUMN sample_of text REFERENCES users (id),
  ADD COLUMN sample_percent integer,
  ADD CONSTRAINT organizations_sample_of_key UNIQUE (sample_of);
`;
