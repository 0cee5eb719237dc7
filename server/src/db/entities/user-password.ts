import { EntitySchema } from "typeorm";

export interface UserPassword {
  userId: string;
  passwordHash: string;
  changedAt: Date;
}

export const UserPasswordEntity = new EntitySchema<UserPassword>({
  name: "UserPassword",
  tableName: "user_passwords",
  columns: {
    userId: {
      name: "user_id",
      type: "text",
      primary: true,
      primaryKeyConstraintName: "user_passwords_pkey",
    },
    passwordHash: { name: "password_hash", type: "text" },
    changedAt: { name: "changed_at", type: "timestamptz", default: () => "now()" },
  },
  foreignKeys: [
    {
      name: "user_passwords_user_id_fkey",
      target: "User",
      columnNames: ["userId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
  ],
});
