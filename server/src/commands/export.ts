import type { Command } from "commander";
import type { Tx } from "../db/database.js";
import { exportData, type Subject } from "../domain/exchange/data-export.js";
import { openObjectStore } from "../domain/files/object-store.js";
import { withDatabase } from "./database.js";
import { addErasure } from "./erasure.js";
import { withExamples } from "./help.js";
import { writeAll, type Io } from "./io.js";
import { findAccount, findOrganization } from "./lookup.js";
import { alwaysJson } from "./results.js";

export function addPersonCommands(program: Command, io: Io): void {
  const person = program.command("person").description("Export or erase a person's data.");
  const command = person
    .command("export")
    .description("Export a person's data from all organizations as JSON Lines, without secrets.")
    .summary("Export a person's data.")
    .requiredOption("--email <email>", "the person's sign-in email")
    .option(...alwaysJson)
    .action(({ email }: { email: string }) =>
      writeExport(io, async (db) => {
        const { id, ...found } = await findAccount(db, email);
        return { userId: id, email: found.email };
      }),
    );
  withExamples(command, "fettle person export --email ana@example.com > ana.jsonl");
  addErasure(person, io);
}

export function addOrganizationExport(organization: Command, io: Io): void {
  const command = organization
    .command("export")
    .description("Export an organization's data as JSON Lines, without secrets.")
    .summary("Export an organization's data.")
    .argument("<organization>", "id, slug or name")
    .option(...alwaysJson)
    .action((reference: string) =>
      writeExport(io, async (db) => ({
        organizationId: (await findOrganization(db, reference)).id,
      })),
    );
  withExamples(command, 'fettle organization export "Northgate Facilities" > northgate.jsonl');
}

async function writeExport(io: Io, find: (db: Tx) => Promise<Subject>): Promise<void> {
  await withDatabase(io, async ({ db }, { files: { s3 } }) => {
    const subject = await find(db);
    const objects = s3 && (await openObjectStore(s3));
    await writeAll(io, exportData(db, subject, objects));
    objects?.close();
  });
}
