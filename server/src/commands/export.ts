import type { Command } from "commander";
import type { Tx } from "../db/database.js";
import { exportData, type Subject } from "../domain/exchange/data-export.js";
import { openObjectStore } from "../domain/files/object-store.js";
import { withDatabase } from "./database.js";
import { addErasure } from "./erasure.js";
import { alwaysJson, writeAll, type Io } from "./io.js";
import { findAccount, findOrganization } from "./lookup.js";

export function addPersonCommands(program: Command, io: Io): void {
  const person = program.command("person").description("Export or erase a person's data.");
  person
    .command("export")
    .description("Export a person's data from all organizations as JSON Lines, without secrets.")
    .requiredOption("--email <email>", "address the person signs in with")
    .option(...alwaysJson)
    .action(({ email }: { email: string }) =>
      writeExport(io, async (db) => {
        const { id, ...found } = await findAccount(db, email);
        return { userId: id, email: found.email };
      }),
    );
  addErasure(person, io);
}

export function addOrganizationExport(organization: Command, io: Io): void {
  organization
    .command("export")
    .description("Export an organization's data as JSON Lines, without secrets.")
    .argument("<organization>", "id, slug or name")
    .option(...alwaysJson)
    .action((reference: string) =>
      writeExport(io, async (db) => ({
        organizationId: (await findOrganization(db, reference)).id,
      })),
    );
}

async function writeExport(io: Io, find: (db: Tx) => Promise<Subject>): Promise<void> {
  await withDatabase(io, async ({ db }, { files: { s3 } }) => {
    const subject = await find(db);
    const objects = s3 && (await openObjectStore(s3));
    await writeAll(io, exportData(db, subject, objects));
    objects?.close();
  });
}
