import type { Command } from "commander";
import { createAuditSigner } from "../domain/audit/audit-signer.js";
import { openObjectStore } from "../domain/files/object-store.js";
import { StartError } from "../errors.js";
import { cleanUp } from "../housekeeping.js";
import { runCheck } from "./check.js";
import { withDatabase } from "./database.js";
import { withExamples } from "./help.js";
import { requireYes, yes, type Io } from "./io.js";
import { json, printResult, type ResultOptions } from "./results.js";
import { loadSecretKeys } from "./secret-keys.js";

export function addUpkeepCommands(program: Command, io: Io): void {
  const check = program
    .command("check")
    .description(
      "Check the configuration, database, mail server and audit log. Nothing is changed.",
    )
    .summary("Check the configuration (read-only).")
    .option("--json", "print one line of JSON per check")
    .action(({ json: isJson = false }: { json?: boolean }) => runCheck(io, isJson));
  withExamples(check, "fettle check", "fettle check --json | jq 'select(.ok | not)'");
  const purgeCommand = program
    .command("purge")
    .description("Remove expired data now, as the server does every ten minutes.")
    .summary("Remove expired data now.")
    .option(...yes)
    .option(...json)
    .action((options: PurgeOptions) => purge(io, options));
  withExamples(purgeCommand, "fettle purge --yes");
}

interface PurgeOptions extends ResultOptions {
  yes?: true;
}

async function purge(io: Io, options: PurgeOptions): Promise<void> {
  requireYes(options, "This permanently removes data older than the RETENTION_ variables allow.");
  await withDatabase(io, async ({ db }, config) => {
    const signer = createAuditSigner(loadSecretKeys(config));
    const failed: unknown[] = [];
    const log = {
      error: ({ err, task }: { err: unknown; task: string }) => {
        failed.push(`${task}: ${err instanceof Error ? err.message : String(err)}`);
      },
    };
    const objects = config.files.s3 && (await openObjectStore(config.files.s3));
    await cleanUp(db, config.retention, signer, log, objects);
    objects?.close();
    if (failed.length > 0) throw new StartError(`Not everything was removed: ${failed.join("; ")}`);
    const result = { purged: true, retention: config.retention };
    printResult(io, options, result, "Removed expired data.");
  });
}
