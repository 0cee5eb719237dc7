import { describeRefusalForPeople } from "../web/text/refusals-for-people.js";
import { Command, CommanderError } from "commander";
import { variableNames } from "../config.js";
import { AppError, StartError } from "../errors.js";
import { DatabaseError } from "../db/open-database.js";
import { addAccountCommands } from "./account.js";
import { version } from "../domain/shared/version.js";
import { addAuditCommands } from "./audit.js";
import { addBackupCommands } from "./backup.js";
import { addConnectionCommands } from "./connections.js";
import { addDemoCommands } from "./demo.js";
import { addPersonCommands } from "./export.js";
import { addMailCommands } from "./mail.js";
import { addMemberCommands } from "./members.js";
import { addUpkeepCommands } from "./upkeep.js";
import { OutputClosed, type Io } from "./io.js";
import { addOrganizationCommands } from "./organization.js";
import { runServe } from "./serve.js";
import { findMisspelt } from "../variables.js";
import { withDatabase } from "./database.js";

/** Exit codes of the contract. */
const ended = 0;
const failed = 1;
const wrongUsage = 2;

/** The `fettle` command. `run` resolves with the exit code; nothing is thrown. */
export function createProgram(io: Io): { run: (args: string[]) => Promise<number> } {
  const program = new Command("fettle")
    .description("Run and manage a Fettle server.")
    .version(version, "--version", "print the version")
    .configureOutput({
      writeOut: (text) => {
        io.write(text.trimEnd());
      },
      writeErr: (text) => {
        io.complain(text.trimEnd());
      },
    })
    .exitOverride()
    .hook("preAction", () => {
      findMisspelt(io.variables, variableNames).forEach(io.complain);
    });
  program
    .command("serve")
    .description("Migrate the database and serve until SIGTERM or SIGINT.")
    .action(() => runServe(io));
  program
    .command("migrate")
    .description("Run migrations and exit. Safe to run concurrently.")
    .action(() => runMigrate(io));
  addAccountCommands(program, io);
  addOrganizationCommands(program, io);
  addMemberCommands(program, io);
  addPersonCommands(program, io);
  addConnectionCommands(program, io);
  addMailCommands(program, io);
  addAuditCommands(program, io);
  addUpkeepCommands(program, io);
  addBackupCommands(program, io);
  addDemoCommands(program, io);
  return { run: (args) => runProgram(program, args, io) };
}

async function runProgram(program: Command, args: string[], io: Io): Promise<number> {
  try {
    await program.parseAsync(args, { from: "user" });
    return ended;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ended : wrongUsage;
    if (!(error instanceof OutputClosed)) io.complain(toLine(error));
    return failed;
  }
}

/** Expected failures in their own words; anything else with its stack, for a report. */
function toLine(error: unknown): string {
  if (error instanceof AppError) return describeRefusalForPeople(error);
  if (error instanceof StartError || error instanceof DatabaseError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function runMigrate(io: Io): Promise<void> {
  await withDatabase(io, async () => {
    io.write("The database is up to date.");
  });
}
