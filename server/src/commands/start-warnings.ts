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
  // Fettle itself speaks no TLS.
  if (config.baseUrl.startsWith("https:") && config.trustProxy === false) {
    warnings.push(
      "BASE_URL is https, so a proxy is in front, and TRUST_PROXY is not set: everybody counts as one address and shares its limits. Set it to the number of proxies.",
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
