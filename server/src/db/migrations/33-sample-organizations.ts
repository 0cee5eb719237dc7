/** An organization to play in, at most one of a person, whose row decides who comes first; without an owner it waits for its deletion. */
export const sampleOrganizations = `
ALTER TABLE organizations ADD COLUMN sample_of text REFERENCES users (id),
  ADD COLUMN sample_percent integer;
CREATE INDEX organizations_sample_of_idx ON organizations (sample_of);
`;
