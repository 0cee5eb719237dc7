import { EntitySchema } from "typeorm";

export interface SetupLink {
  tokenHash: Buffer;
  createdAt: Date;
}

export const SetupLinkEntity = new EntitySchema<SetupLink>({
  name: "SetupLink",
  tableName: "setup_links",
  columns: {
    tokenHash: {
      name: "token_hash",
      type: "bytea",
      primary: true,
      primaryKeyConstraintName: "setup_links_pkey",
    },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
  },
});
