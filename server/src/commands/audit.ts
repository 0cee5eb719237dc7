import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { Database, Tx } from "../db/database.js";
import { createAuditSigner, type AuditSigner } from "../domain/audit/audit-signer.js";
import { chainCountedLines, isGenuine, type Checkpoint } from "../domain/audit/checkpoints.js";
import { exportChain } from "../domain/audit/export-chain.js";
import { findChains, findDeletedChains, type Chain } from "../domain/audit/read-chain.js";
import { verifyChain, type ChainReport } from "../domain/audit/verify-chain.js";
import { StartError } from "../errors.js";
import { withDatabase } from "./database.js";
import { withExamples } from "./help.js";
import { writeAll, type Io } from "./io.js";
import { findOrganization } from "./lookup.js";
import { alwaysJson } from "./results.js";
import { loadSecretKeys } from "./secret-keys.js";

interface AuditOptions {
  organization?: string;
  checkpoints?: string;
  json?: true;
}

export function addAuditCommands(program: Command, io: Io): void {
  const audit = program.command("audit").description("Verify and export the activity log.");
  withExamples(
    forChains(audit, "verify", "Find entries that were changed, removed, added or reordered.")
      .option("--checkpoints <file>", "an earlier export to compare with")
      .option("--json", "print one line of JSON per chain")
      .action((options: AuditOptions) => verify(io, options)),
    "fettle audit verify",
    "fettle audit verify --checkpoints 2027-01.jsonl",
  );
  withExamples(
    forChains(audit, "export", "Export the log with its hashes and signatures as JSON Lines.")
      .option(...alwaysJson)
      .action((options: AuditOptions) => exportAll(io, options)),
    'fettle audit export --organization "Northgate Facilities" > 2027-01.jsonl',
  );
}

function forChains(audit: Command, name: string, description: string): Command {
  return audit
    .command(name)
    .description(description)
    .option(
      "--organization <organization>",
      'id, slug or name; "server" for entries outside organizations',
    );
}

async function verify(io: Io, { organization, checkpoints, json }: AuditOptions): Promise<void> {
  const kept = checkpoints === undefined ? [] : readCheckpoints(checkpoints);
  await withChains(io, organization, async (db, signer, chains) => {
    const deleted = await findDeletedChains(db);
    const known = new Set([...deleted, ...chains.map(({ id }) => id)]);
    const lost = organization === undefined ? kept.map(({ checkpoint }) => checkpoint.chain) : [];
    const gone = [...new Set(lost)].filter((id) => !known.has(id));
    let broken = 0;
    for (const chain of [...chains, ...gone.map((id) => ({ id, organization: null }))]) {
      const report = await verifyChain(db, signer, chain, kept);
      io.write(json === true ? JSON.stringify(report) : describe(report));
      if (!report.ok) broken += 1;
    }
    if (broken > 0)
      throw new StartError(
        `Verification failed for ${broken} ${broken === 1 ? "chain" : "chains"}.`,
      );
  });
}

function describe({ chain, organization, entries, signed_to, problems }: ChainReport): string {
  const whose = organization === null ? chain : `${organization} (${chain})`;
  const signed = signed_to === 0 ? "none signed yet" : `signed up to ${signed_to}`;
  return problems.length === 0
    ? `${whose}: OK: ${entries} entries, chain intact, ${signed}.`
    : `${whose}: ${problems.join("; ")}. ${entries} entries, ${signed}.`;
}

async function exportAll(io: Io, { organization }: AuditOptions): Promise<void> {
  await withChains(io, organization, async (db, signer, chains) => {
    for (const { id } of chains) await writeAll(io, exportChain(db, signer, id));
  });
}

async function withChains(
  io: Io,
  organization: string | undefined,
  work: (db: Database, signer: AuditSigner, chains: Chain[]) => Promise<void>,
): Promise<void> {
  await withDatabase(io, async ({ db }, config) => {
    const signer = createAuditSigner(loadSecretKeys(config));
    await chainCountedLines(db);
    await work(db, signer, await chainsOf(db, organization));
  });
}

/** For one organization only, whatever others are named. A deleted one is found by its id. */
async function chainsOf(db: Tx, organization: string | undefined): Promise<Chain[]> {
  const chains = await findChains(db, organization);
  if (organization === undefined || chains.length > 0) return chains;
  return findChains(db, (await findOrganization(db, organization)).id);
}

function readCheckpoints(file: string): Checkpoint[] {
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    const found = lines
      .filter((line) => line.startsWith('{"checkpoint"'))
      .map((line) => JSON.parse(line) as Checkpoint);
    if (found.length > 0 && found.every(isGenuine)) return found;
  } catch (error) {
    throw new StartError(`The checkpoints in ${file} cannot be read.`, error);
  }
  throw new StartError(`${file} has no checkpoints, or some whose signature does not fit.`);
}
