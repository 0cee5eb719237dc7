import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Database } from "../db/database.js";
import { parseConfig, type Config } from "../config.js";
import { dump } from "../db/backup/dump.js";
import { checkBackup, readBackup, sendBackup, writeBackup } from "../db/backup/file.js";
import { load } from "../db/backup/load.js";
import type { Manifest, Piece } from "../db/backup/pieces.js";
import { migrate } from "../db/migrate.js";
import { createAuditSigner } from "../domain/audit/audit-signer.js";
import { countSignatures } from "../domain/audit/audit-state.js";
import { version } from "../domain/shared/version.js";
import { StartError } from "../errors.js";
import { readVariables } from "../variables.js";
import { databaseChoice, withDatabase, withOpened } from "./database.js";
import { withExamples } from "./help.js";
import type { Io } from "./io.js";
import { count, json, printResult, type ResultOptions } from "./results.js";
import { findSecretKeys, secretKeysFile } from "./secret-keys.js";

interface ToOptions extends ResultOptions {
  to: string;
}

export function addBackupCommands(program: Command, io: Io): void {
  const backup = program
    .command("backup")
    .description("Back up the database while the server runs. Keys are not included.")
    .summary("Back up the database to a file.")
    .requiredOption("--to <file>", "new file, or - for standard output")
    .option(...json)
    .action(({ to, ...options }: ToOptions) =>
      to === "-" ? streamOut(io) : backUp(io, resolve(to), options),
    );
  withExamples(
    backup,
    "fettle backup --to /backups/2027-01-31.backup",
    "fettle backup --to - | aws s3 cp - s3://backups/2027-01-31.backup",
  );
  const restoreCommand = program
    .command("restore")
    .description("Restore a backup into an empty database of the same version.")
    .summary("Restore a backup into an empty database.")
    .requiredOption("--from <file>", "backup file, or - for standard input")
    .option(...json)
    .action(({ from, ...options }: ResultOptions & { from: string }) =>
      restore(io, from === "-" ? from : resolve(from), options),
    );
  withExamples(restoreCommand, "fettle restore --from /backups/2027-01-31.backup");
  const moveCommand = program
    .command("move")
    .description(
      "Copy the embedded database to an empty PostgreSQL database. Stop the server first.",
    )
    .summary("Copy the embedded database to PostgreSQL.")
    .option(
      "--to <url>",
      "PostgreSQL address. Other users of this machine can read command lines: put an address with a password in MOVE_DATABASE_URL or MOVE_DATABASE_URL_FILE.",
    )
    .option(...json)
    .action((options: Partial<ToOptions>, command: Command) => move(io, options, command));
  withExamples(
    moveCommand,
    "MOVE_DATABASE_URL_FILE=/run/secrets/database-url fettle move",
    "fettle move --to postgres://fettle@db.example.com/fettle",
  );
}

async function backUp(io: Io, file: string, options: ResultOptions): Promise<void> {
  const config = parseConfig(io.variables);
  await withOpened(databaseChoice(io, config), async ({ db }) => {
    const seen = follow(io, "Writing the backup", dump(db, version));
    const bytes = await writeBackup(file, seen.pieces);
    const result = { file, bytes, ...seen.counts(), secret_keys: "not in the file" };
    printResult(io, options, result, `Wrote ${describeCounts(result)} to ${file}.`);
  });
  io.writeError(`Keep a copy of the keys in another place: ${whereKeysAre(config)}.`);
}

/** Messages and the result go to stderr, because stdout is the backup itself. */
async function streamOut(io: Io): Promise<void> {
  const { output } = io;
  if (output === undefined || output.isTTY === true) {
    throw new StartError("A backup is binary. Redirect it to a file or another program.");
  }
  const config = parseConfig(io.variables);
  await withOpened(databaseChoice(io, config), async ({ db }) => {
    const seen = follow(io, "Writing the backup", dump(db, version));
    await sendBackup(output, seen.pieces, { end: false }).catch((error: unknown) => {
      if (!output.destroyed) throw error;
      throw new StartError("The backup is incomplete: its reader ended first.", error);
    });
    io.writeError(JSON.stringify({ file: "-", ...seen.counts(), secret_keys: "not in the file" }));
  });
  io.writeError(`Keep a copy of the keys in another place: ${whereKeysAre(config)}.`);
}

/** Standard input is verified while it loads. A file is verified before. */
async function restore(io: Io, file: string, options: ResultOptions): Promise<void> {
  const isStream = file === "-";
  if (!isStream) await checkBackup(file);
  await withDatabase(io, async ({ db }, config) => {
    const input = isStream ? io.stdin : createReadStream(file);
    const name = isStream ? "What was read from standard input" : file;
    const seen = follow(io, "Restoring", readBackup(input, name));
    await load(db, seen.pieces);
    const fit = await findOutAboutKeys(db, config);
    const result = { file, ...seen.counts(), secret_keys: fit };
    printResult(io, options, result, `Restored ${describeCounts(result)}.`);
    if (fit === "the same") return;
    io.writeError(
      `Before you start the server, put the backup's keys in place: ${whereKeysAre(config)}.`,
    );
  });
}

/** No data may be written after it was read, so no server may run on the embedded database. */
async function move(
  io: Io,
  { to: given, ...options }: Partial<ToOptions>,
  command: Command,
): Promise<void> {
  const from = parseConfig(io.variables);
  if (from.databaseUrl !== undefined) {
    throw new StartError("This moves the embedded database in DATA_DIR: unset DATABASE_URL.");
  }
  const to = given ?? readVariables(io.variables).given["MOVE_DATABASE_URL"] ?? "";
  if (to === "") command.error("error: set MOVE_DATABASE_URL, or add --to <url>");
  const target = parseConfig({ ...io.variables, DATABASE_URL: to });
  await withOpened({ ...databaseChoice(io, from), embedded: "own" }, async (source) => {
    await migrate(source.db);
    await withOpened(databaseChoice(io, target), async ({ db }) => {
      await migrate(db);
      const seen = follow(io, "Moving", dump(source.db, version));
      await load(db, seen.pieces);
      const result = { from: from.dataDir, ...seen.counts(), secret_keys: "not moved" };
      printResult(io, options, result, `Moved ${describeCounts(result)}.`);
    });
  });
  io.writeError(
    `Start the server with DATABASE_URL and the contents of ${secretKeysFile(from)} as SECRET_KEYS. ${from.dataDir} is unchanged; remove it when you no longer need it.`,
  );
}

function follow(io: Io, doing: string, pieces: AsyncIterable<Piece>) {
  let [done, all]: [number, number] = [0, 0];
  let manifest: Manifest | undefined;
  async function* watch(): AsyncGenerator<Piece> {
    for await (const piece of pieces) {
      if ("header" in piece) all = piece.header.rows;
      if ("manifest" in piece) ({ manifest } = piece);
      if ("rows" in piece) done += piece.rows.length;
      const percent = all === 0 ? 100 : Math.floor((100 * done) / all);
      io.report(`${doing}: ${percent} %${manifest === undefined ? "" : "\n"}`);
      yield piece;
    }
  }
  const counts = () => ({ tables: Object.keys(manifest?.tables ?? {}).length, rows: done });
  return { pieces: watch(), counts };
}

function describeCounts({ rows, tables }: { rows: number; tables: number }): string {
  return `${count(rows, "row")} of ${count(tables, "table")}`;
}

function whereKeysAre(config: Config): string {
  const isGiven = config.databaseUrl !== undefined || config.secretKeys.length > 0;
  return isGiven ? "SECRET_KEYS" : secretKeysFile(config);
}

/** Checks if the configured keys signed the audit log in the backup. */
async function findOutAboutKeys(
  db: Database,
  config: Config,
): Promise<"the same" | "others" | "none given"> {
  const keys = findSecretKeys(config);
  if (keys.length === 0) return "none given";
  const { foreign } = await countSignatures(db, createAuditSigner(keys));
  return foreign === 0 ? "the same" : "others";
}
