/** A zone that this database does not know would fail every statement that reads the days of all organizations. */
export const timeZones = `
ALTER TABLE organizations ADD CONSTRAINT organizations_time_zone_check
  CHECK (timestamptz 'epoch' AT TIME ZONE time_zone IS NOT NULL);
ALTER TABLE sign_ups ADD CONSTRAINT sign_ups_time_zone_check
  CHECK (timestamptz 'epoch' AT TIME ZONE time_zone IS NOT NULL);
`;
