import { EntitySchema } from "typeorm";

export interface User {
  id: string;
  email: string;
  name: string;
  locale: string;
  emailVerifiedAt: Date | null;
  lastLoginAt: Date | null;
  createdAt: Date;
  /** Set: the person cannot sign in, and their tokens stop at once. */
  deactivatedAt: Date | null;
}

export const UserEntity = new EntitySchema<User>({
  name: "User",
  tableName: "users",
  columns: {
    id: { type: "text", primary: true, primaryKeyConstraintName: "users_pkey" },
    email: { type: "citext" },
    name: { type: "text" },
    locale: { type: "text", default: "en" },
    emailVerifiedAt: { name: "email_verified_at", type: "timestamptz", nullable: true },
    lastLoginAt: { name: "last_login_at", type: "timestamptz", nullable: true },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    deactivatedAt: { name: "deactivated_at", type: "timestamptz", nullable: true },
  },
  uniques: [{ name: "users_email_key", columns: ["email"] }],
  checks: [
    { name: "users_email_check", expression: "char_length(email::text) <= 254" },
    { name: "users_name_check", expression: "char_length(name) BETWEEN 1 AND 120" },
  ],
});
