import { isLoopback, type Config } from "../config.js";

/** What the server needs with the embedded database, at its first start: test/containers/run.sh. */
const embeddedMemoryMb = 768;

/** What works, but not as somebody who starts a server probably thinks. */
export function findStartWarnings(
  config: Pick<Config, "host" | "trustProxy" | "baseUrl" | "databaseUrl">,
  memoryLimitBytes: number,
): string[] {
  const warnings: string[] = [];
  const isForOthers =
    !["127.0.0.1", "::1", "localhost"].includes(config.host) || config.trustProxy !== false;
  if (isForOthers && isLoopback(new URL(config.baseUrl).hostname)) {
    warnings.push(
      `BASE_URL is ${config.baseUrl}: links, mails and the codes on printed labels work on this computer only. Set it to the address that people use.`,
    );
  }
  const limitMb = Math.floor(memoryLimitBytes / 1024 / 1024);
  if (config.databaseUrl === undefined && limitMb > 0 && limitMb < embeddedMemoryMb) {
    warnings.push(
      `This process may use ${limitMb} MB of memory, and the embedded database needs ${embeddedMemoryMb} MB: the system may end it without a word. Raise the limit, or use PostgreSQL (DATABASE_URL).`,
    );
  }
  return warnings;
}
