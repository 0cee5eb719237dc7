import { InvalidArgumentError, type Command } from "commander";
import { commit } from "../domain/history/transactions.js";
import { listWaitingMails, retryMails, type MailLine } from "../domain/messaging/operator-mails.js";
import { StartError } from "../errors.js";
import { withDatabase } from "./database.js";
import { withExamples } from "./help.js";
import type { Io } from "./io.js";
import { count, json, printList, printResult, type Column, type ResultOptions } from "./results.js";

interface RetryOptions extends ResultOptions {
  id?: string;
}

export function addEmailCommands(program: Command, io: Io): void {
  const email = program.command("email").description("Manage unsent email.");
  withExamples(
    email
      .command("list")
      .description("List waiting, failed and kept emails.")
      .option(...json)
      .action((options: ResultOptions) => list(io, options)),
    "fettle email list",
  );
  withExamples(
    email
      .command("retry")
      .description("Retry failed, kept and postponed emails now.")
      .option("--id <email>", "only this email", toEmailId)
      .option(...json)
      .action((options: RetryOptions) => retry(io, options)),
    "fettle email retry",
    "fettle email retry --id 42",
  );
}

const columns: Column<MailLine>[] = [
  { title: "ID", value: ({ mail_id }) => mail_id, isWhole: true },
  { title: "STATUS", value: ({ status }) => status },
  { title: "KIND", value: ({ kind }) => kind },
  { title: "RECIPIENT", value: ({ recipient }) => recipient },
  { title: "TRIES", value: ({ attempts }) => attempts },
  { title: "LAST ERROR", value: ({ last_error }) => last_error },
];

async function list(io: Io, options: ResultOptions): Promise<void> {
  await withDatabase(io, async ({ db }) => {
    printList(io, options, await listWaitingMails(db), { columns, none: "No unsent email." });
  });
}

async function retry(io: Io, { id, ...options }: RetryOptions): Promise<void> {
  await withDatabase(io, async ({ db }, { smtpUrl }) => {
    if (smtpUrl === undefined) {
      throw new StartError("Email isn't set up. Set SMTP_URL and MAIL_FROM.");
    }
    const retried = await commit({ db, caller: null }, (tx) => retryMails(tx, id));
    if (id !== undefined && retried.length === 0) {
      throw new StartError(`No email ${id} to retry. See: fettle email list`);
    }
    const words = `Retrying ${count(retried.length, "email")}.`;
    printResult(io, options, { mail_ids: retried }, words);
  });
}

function toEmailId(value: string): string {
  if (/^\d{1,18}$/.test(value)) return value;
  throw new InvalidArgumentError("Use the number that fettle email list prints.");
}
