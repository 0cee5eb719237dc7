import type { MigrationInterface, QueryRunner } from "typeorm";
import { readSqlFiles, type SqlFile } from "./sql-files.js";

/** TypeORM sorts migrations by the last 13 digits of their names. */
const baseline = 1_795_910_400_000;

export const allMigrations = readSqlFiles("migrations").map(toMigration);

export const migrationNames = allMigrations.map((Migration) => new Migration().name);

/** A schema migration in SQL. It can't be reverted: restore a backup instead. */
function toMigration({ name, text }: SqlFile): new () => MigrationInterface & { name: string } {
  return class implements MigrationInterface {
    readonly name = `${name}-${baseline + Number.parseInt(name, 10)}`;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(text);
    }

    async down(): Promise<void> {
      throw new Error("Migrations only go forward.");
    }
  };
}
