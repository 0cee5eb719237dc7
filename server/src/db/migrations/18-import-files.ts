/** The file of an import, while its plan can still be made anew. */
export const importFiles = `
CREATE TABLE import_pieces (
  organization_id text NOT NULL,
  change_set_id text NOT NULL,
  position integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (organization_id, change_set_id, position),
  CONSTRAINT import_pieces_change_set_id_fkey FOREIGN KEY (organization_id, change_set_id)
    REFERENCES change_sets ON DELETE CASCADE
);
`;
