import { InvalidArgumentError, type Command } from "commander";
import { commit } from "../domain/history/transactions.js";
import { listWaitingMails, retryMails } from "../domain/messaging/operator-mails.js";
import { StartError } from "../errors.js";
import { withDatabase } from "./database.js";
import { alwaysJson, writeLines, type Io } from "./io.js";

export function addMailCommands(program: Command, io: Io): void {
  const mail = program.command("mail").description("Mails that were not sent.");
  mail
    .command("list")
    .description("One JSON line for each mail that waits, was given up, or is kept.")
    .option(...alwaysJson)
    .action(() =>
      withDatabase(io, async ({ db }) => {
        writeLines(io, await listWaitingMails(db));
      }),
    );
  mail
    .command("retry")
    .description("Have the server send them at once: what was given up, kept or postponed.")
    .option("--id <mail>", "this one alone", toMailId)
    .option(...alwaysJson)
    .action(({ id }: { id?: string }) => retry(io, id));
}

async function retry(io: Io, id: string | undefined): Promise<void> {
  await withDatabase(io, async ({ db }, { smtpUrl }) => {
    if (smtpUrl === undefined) {
      throw new StartError("Mails leave only through a mail server: set SMTP_URL and MAIL_FROM.");
    }
    const retried = await commit({ db, caller: null }, (tx) => retryMails(tx, id));
    if (id !== undefined && retried.length === 0) {
      throw new StartError(`There is no mail ${id} to be sent again. See: fettle mail list`);
    }
    writeLines(io, [{ mail_ids: retried }]);
  });
}

function toMailId(value: string): string {
  if (/^\d{1,18}$/.test(value)) return value;
  throw new InvalidArgumentError("Give the number that fettle mail list prints.");
}
