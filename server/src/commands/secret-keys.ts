import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../db/database.js";
import type { Config } from "../config.js";
import { createAuditSigner } from "../domain/audit/audit-signer.js";
import { countSignatures, describeForeignSignatures } from "../domain/audit/audit-state.js";
import { createSecret } from "../domain/shared/secrets.js";
import { StartError } from "../errors.js";

/**
 * The keys that sign cookies and cursors. With the embedded database they are created once and
 * stored in the data directory. With PostgreSQL the operator sets them, so that all nodes share
 * them.
 */
export function loadSecretKeys(config: Config): string[] {
  if (config.secretKeys.length > 0) return config.secretKeys;
  if (config.databaseUrl !== undefined) {
    throw new StartError(
      "Fettle cannot start, this variable is wrong:\n" +
        "  - SECRET_KEYS must be set together with DATABASE_URL: at least 32 random characters, the same on every node (for example the output of: openssl rand -base64 32)",
    );
  }
  try {
    return readOrMakeKeys(config.dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The data directory ${config.dataDir} cannot be used (${reason}). Set DATA_DIR to a directory that this user may write to.`,
      error,
    );
  }
}

/**
 * Rejects keys that signed nothing here if other keys did: they belong to another database and
 * can't decrypt its secrets. During a key rotation the former key is listed too and has signed.
 */
export async function requireKnownKeys(
  db: Database,
  config: Config,
  writeError: (line: string) => void,
): Promise<void> {
  const { own, foreign } = await countSignatures(db, createAuditSigner(config.secretKeys));
  if (foreign === 0) return;
  const found = describeForeignSignatures(foreign);
  if (own > 0 || config.allowNewSecretKeys) {
    writeError(`${found}. Data encrypted with the missing keys can't be read.`);
    return;
  }
  throw new StartError(
    `Fettle cannot start, ${found}.\n` +
      `  - Put the keys that belong to it in place: SECRET_KEYS, or the file ${secretKeysFile(config)} beside the embedded database.\n` +
      "  - If they are lost, start once with ALLOW_NEW_SECRET_KEYS=true. People then sign in again, waiting emails are lost, and authenticator apps, identity providers and webhooks have to be set up again.",
  );
}

export function secretKeysFile({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "secret-keys");
}

/** Returns the existing keys. Creates none. */
export function findSecretKeys(config: Config): string[] {
  const { databaseUrl, secretKeys } = config;
  const isMade = databaseUrl === undefined && existsSync(secretKeysFile(config));
  return isMade ? loadSecretKeys(config) : secretKeys;
}

function readOrMakeKeys(dataDir: string): string[] {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
  const file = secretKeysFile({ dataDir });
  try {
    // "wx": of two concurrent first starts, one creates the key and the other reads it.
    writeFileSync(file, createSecret() + "\n", { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readFileSync(file, "utf8").trim().split(/[\n,]/);
}
