import { InvalidArgumentError, type Command } from "commander";
import { commit } from "../domain/history/transactions.js";
import { listWaitingMails, retryMails } from "../domain/messaging/operator-mails.js";
import { StartError } from "../errors.js";
import { withDatabase } from "./database.js";
import { alwaysJson, writeLines, type Io } from "./io.js";

export function addMailCommands(program: Command, io: Io): void {
  const mail = program.command("mail").description("Manage unsent email.");
  mail
    .command("list")
    .description("List waiting, failed and kept emails, one JSON line each.")
    .option(...alwaysJson)
    .action(() =>
      withDatabase(io, async ({ db }) => {
        writeLines(io, await listWaitingMails(db));
      }),
    );
  mail
    .command("retry")
    .description("Retry failed, kept and postponed emails now.")
    .option("--id <mail>", "only this email", toMailId)
    .option(...alwaysJson)
    .action(({ id }: { id?: string }) => retry(io, id));
}

async function retry(io: Io, id: string | undefined): Promise<void> {
  await withDatabase(io, async ({ db }, { smtpUrl }) => {
    if (smtpUrl === undefined) {
      throw new StartError("Email isn't set up. Set SMTP_URL and MAIL_FROM.");
    }
    const retried = await commit({ db, caller: null }, (tx) => retryMails(tx, id));
    if (id !== undefined && retried.length === 0) {
      throw new StartError(`No email ${id} to retry. See: fettle mail list`);
    }
    writeLines(io, [{ mail_ids: retried }]);
  });
}

function toMailId(value: string): string {
  if (/^\d{1,18}$/.test(value)) return value;
  throw new InvalidArgumentError("Give the number that fettle mail list prints.");
}
