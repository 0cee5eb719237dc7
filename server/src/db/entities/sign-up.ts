import { EntitySchema } from "typeorm";

/** An account that waits for its address to be verified. */
export interface SignUp {
  tokenHash: Buffer;
  email: string;
  name: string;
  organizationName: string;
  /** NULL once used: the password belongs to the account from then on. */
  passwordHash: string | null;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
}

export const SignUpEntity = new EntitySchema<SignUp>({
  name: "SignUp",
  tableName: "sign_ups",
  columns: {
    tokenHash: {
      name: "token_hash",
      type: "bytea",
      primary: true,
      primaryKeyConstraintName: "sign_ups_pkey",
    },
    email: { type: "citext" },
    name: { type: "text" },
    organizationName: { name: "organization_name", type: "text" },
    passwordHash: { name: "password_hash", type: "text", nullable: true },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    expiresAt: { name: "expires_at", type: "timestamptz" },
    usedAt: { name: "used_at", type: "timestamptz", nullable: true },
  },
  indices: [{ name: "sign_ups_expires_at_idx", columns: ["expiresAt"] }],
  checks: [
    { name: "sign_ups_email_check", expression: "char_length(email::text) <= 254" },
    { name: "sign_ups_name_check", expression: "char_length(name) BETWEEN 1 AND 120" },
    {
      name: "sign_ups_organization_name_check",
      expression: "char_length(organization_name) BETWEEN 1 AND 120",
    },
    {
      name: "sign_ups_used_check",
      expression: "(used_at IS NULL) = (password_hash IS NOT NULL)",
    },
  ],
});
