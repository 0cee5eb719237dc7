import type { Command } from "commander";
import { createAuditSigner } from "../domain/audit/audit-signer.js";
import { openObjectStore } from "../domain/files/object-store.js";
import { StartError } from "../errors.js";
import { cleanUp } from "../housekeeping.js";
import { runCheck } from "./check.js";
import { withDatabase } from "./database.js";
import { alwaysJson, requireYes, writeLines, yes, type Io } from "./io.js";
import { loadSecretKeys } from "./secret-keys.js";

export function addUpkeepCommands(program: Command, io: Io): void {
  program
    .command("check")
    .description("Check the configuration (read-only).")
    .option("--json", "one JSON line per check")
    .action(({ json = false }: { json?: boolean }) => runCheck(io, json));
  program
    .command("purge")
    .description("Remove expired data now, as the server does every ten minutes.")
    .option(...yes)
    .option(...alwaysJson)
    .action((options: { yes?: true }) => purge(io, options));
}

async function purge(io: Io, options: { yes?: true }): Promise<void> {
  requireYes(options, "This removes for good what is older than the RETENTION_ variables say.");
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
    writeLines(io, [{ purged: true, retention: config.retention }]);
  });
}
