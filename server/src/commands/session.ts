import type { Command } from "commander";
import {
  endSessionsByOperator,
  findSessionsByOperator,
  type SessionLine,
} from "../domain/accounts/other-sessions.js";
import { commit } from "../domain/history/transactions.js";
import { withDatabase } from "./database.js";
import { withExamples } from "./help.js";
import type { Io } from "./io.js";
import { findAccount } from "./lookup.js";
import {
  count,
  json,
  printList,
  printResult,
  toDay,
  type Column,
  type ResultOptions,
} from "./results.js";

interface SessionOptions extends ResultOptions {
  email: string;
}

export function addSessionCommands(program: Command, io: Io): void {
  const session = program.command("session").description("Manage browser sessions.");
  withExamples(
    forPerson(session, "list", "List the browsers a person is signed in to.").action(
      (options: SessionOptions) => list(io, options),
    ),
    "fettle session list --email ana@example.com",
  );
  withExamples(
    forPerson(session, "end", "Sign a person out of every browser. Apps remain connected.").action(
      (options: SessionOptions) => end(io, options),
    ),
    "fettle session end --email ana@example.com",
  );
}

function forPerson(session: Command, name: string, description: string): Command {
  return session
    .command(name)
    .description(description)
    .requiredOption("--email <email>", "the person's sign-in email")
    .option(...json);
}

const columns: Column<SessionLine>[] = [
  { title: "SIGNED IN", value: ({ created_at }) => toDay(created_at), isWhole: true },
  { title: "LAST USED", value: ({ last_used_at }) => toDay(last_used_at), isWhole: true },
  { title: "ADDRESS", value: ({ ip_address }) => ip_address },
  { title: "BROWSER", value: ({ user_agent }) => user_agent },
];

async function list(io: Io, { email, ...options }: SessionOptions): Promise<void> {
  await withDatabase(io, async ({ db }) => {
    const sessions = await findSessionsByOperator(db, (await findAccount(db, email)).id);
    printList(io, options, sessions, { columns, none: `${email} isn't signed in anywhere.` });
  });
}

async function end(io: Io, { email, ...options }: SessionOptions): Promise<void> {
  await withDatabase(io, async ({ db }) => {
    const sessions = await commit({ db, caller: null }, async (tx) =>
      endSessionsByOperator(tx, await findAccount(tx, email)),
    );
    const words = `Ended ${count(sessions, "session")} of ${email}.`;
    printResult(io, options, { email, sessions_ended: sessions }, words);
  });
}
