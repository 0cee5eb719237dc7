import { Command, CommanderError } from "commander";
import { migrationNames } from "../db/migrations.js";
import { DatabaseError } from "../db/open-database.js";
import { version } from "../domain/shared/version.js";
import { AppError, StartError } from "../errors.js";
import { describeRefusalForPeople } from "../web/text/refusals-for-people.js";
import { addAccountCommands } from "./account.js";
import { addAuditCommands } from "./audit.js";
import { addBackupCommands } from "./backup.js";
import { addConnectionCommands } from "./connection.js";
import { withDatabase } from "./database.js";
import { addDemoCommands } from "./demo.js";
import { addEmailCommands } from "./email.js";
import { addPersonCommands } from "./export.js";
import { describeProgram, finishHelp, groups, replaceFormerName } from "./help.js";
import { OutputClosed, type Io } from "./io.js";
import { addMemberCommands } from "./member.js";
import { addOrganizationCommands } from "./organization.js";
import { runServe } from "./serve.js";
import { addSessionCommands } from "./session.js";
import { addUpkeepCommands } from "./upkeep.js";

/** Exit codes of the contract, which `--help` names. */
const ended = 0;
const failed = 1;
const wrongUsage = 2;

/** The `fettle` command. `run` resolves with the exit code and never throws. */
export function createProgram(io: Io): { run: (args: string[]) => Promise<number> } {
  const program = createCommands(io);
  return { run: (args) => runProgram(program, replaceFormerName(args), io) };
}

export function createCommands(io: Io): Command {
  const program = describeProgram(new Command("fettle"), io).version(
    version,
    "--version",
    "print the version",
  );
  program.commandsGroup(groups.server);
  program
    .command("serve")
    .description("Migrate the database and serve until SIGTERM or SIGINT.")
    .summary("Start the server.")
    .action(() => runServe(io));
  program
    .command("migrate")
    .description("Run migrations and exit. Safe to run concurrently.")
    .summary("Run migrations and exit.")
    .option("--json", "print one line of JSON")
    .action(({ json = false }: { json?: boolean }) => runMigrate(io, json));
  addUpkeepCommands(program, io);
  program.commandsGroup(groups.people);
  addAccountCommands(program, io);
  addMemberCommands(program, io);
  addPersonCommands(program, io);
  addSessionCommands(program, io);
  program.commandsGroup(groups.organizations);
  addOrganizationCommands(program, io);
  addConnectionCommands(program, io);
  addEmailCommands(program, io);
  addAuditCommands(program, io);
  program.commandsGroup(groups.data);
  addBackupCommands(program, io);
  program.commandsGroup(groups.samples);
  addDemoCommands(program, io);
  finishHelp(program);
  return program;
}

async function runProgram(program: Command, args: string[], io: Io): Promise<number> {
  try {
    await program.parseAsync(args, { from: "user" });
    return ended;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ended : wrongUsage;
    if (!(error instanceof OutputClosed)) io.writeError(toLine(error));
    return failed;
  }
}

/** Expected failures have messages for people. Other errors include the stack, for bug reports. */
function toLine(error: unknown): string {
  if (error instanceof AppError) return describeRefusalForPeople(error);
  if (error instanceof StartError || error instanceof DatabaseError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function runMigrate(io: Io, json: boolean): Promise<void> {
  await withDatabase(io, async () => {
    const result = { up_to_date: true, migrations: migrationNames.length };
    io.write(json ? JSON.stringify(result) : "The database is up to date.");
  });
}
