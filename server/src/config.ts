import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { mcpPath } from "fettle-shared";
import { z } from "zod";
import type { ClientDocumentSettings } from "./domain/oauth/client-documents.js";
import { defaultRetention, type Retention } from "./domain/shared/retention.js";
import { StartError } from "./errors.js";
import {
  fileVariables,
  findMissingOfFiles,
  toFileSettings,
  type FileSettings,
} from "./file-settings.js";
import { parseNetwork } from "./oauth/private-networks.js";
import { flag, list, url, wholeNumber } from "./variable-types.js";
import { readVariables, type Variables } from "./variables.js";

const repositoryRoot = resolve(fileURLToPath(import.meta.url), "../../..");

export interface Config {
  host: string;
  /** 0 selects a free port. `baseUrl` has the actual one after the server listens. */
  port: number;
  /** Scheme and host, without a trailing slash: issuer and root of the resource. */
  baseUrl: string;
  /** True if `baseUrl` was set, false if derived from the port. */
  baseUrlGiven: boolean;
  allowedOrigins: string[];
  redirectSchemes: string[];
  /** Private networks that identity providers and webhooks may be in. */
  privateNetworks: string[];
  /** The bridge's npm package. If unset, people download it from this server. */
  bridgePackage: string | undefined;
  metricsToken: string | undefined;
  /** How long a stopping server continues to serve while not ready. */
  drainSeconds: number;
  databaseUrl: string | undefined;
  /** Streaming replicas of the database, for reads. */
  replicaUrls: string[];
  databaseWaitSeconds: number;
  /** True if named statements may outlive a transaction. Some poolers lose them. */
  preparedStatements: boolean;
  dataDir: string;
  redisUrl: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  /** Newest first. Empty until the start has read or created them in `dataDir`. */
  secretKeys: string[];
  /** Permits keys that signed nothing in this database. */
  allowNewSecretKeys: boolean;
  signup: "invite" | "open";
  /** Never true: any client could then forge its address. */
  trustProxy: false | number | string;
  rateLimit: boolean;
  refreshGraceSeconds: number;
  clientDocuments: ClientDocumentSettings;
  retention: Retention;
  files: FileSettings;
  strictHeaders: boolean;
  logLevel: string;
}

/** The address of the only protected resource (RFC 8707 value of tokens). */
export function mcpUrl(config: Pick<Config, "baseUrl">): string {
  return config.baseUrl + mcpPath;
}

const postgresUrl = url(
  ["postgres:", "postgresql:"],
  "a PostgreSQL address like postgres://user:password@host:5432/fettle",
);

const maxDays = 36_500;

const domains = list
  .pipe(
    z.array(
      z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, {
        error: "names domains in lower case, like claude.ai,example.com",
      }),
    ),
  )
  .default([]);

const origin = z.string().refine(isOrigin, {
  error:
    "must be scheme and host only, like https://fettle.example.com (no path, query or fragment)",
});

const environment = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535).default(3000),
  BASE_URL: z
    .string()
    .transform((value) => value.replace(/\/$/, ""))
    .pipe(origin)
    .optional(),
  ALLOW_HTTP: flag.default(false),
  ALLOWED_ORIGINS: list
    .pipe(z.array(origin.transform((value) => new URL(value).origin)))
    .optional(),
  REDIRECT_SCHEMES: list
    .pipe(
      z.array(
        z
          .string()
          .regex(/^(?!javascript$|data$|file$|vbscript$|blob$|about$|https?$)[a-z][a-z0-9+.-]*$/, {
            error: "names private-use schemes in lower case, like cursor,vscode",
          }),
      ),
    )
    .default(["cursor", "vscode"]),
  ALLOWED_PRIVATE_NETWORKS: list
    .pipe(
      z.array(
        z.string().refine((text) => parseNetwork(text) !== undefined, {
          error: "names networks like 10.0.0.0/8,fd00::/8",
        }),
      ),
    )
    .default([]),
  BRIDGE_PACKAGE: z
    .string()
    .regex(/^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(@[\w.-]+)?$/, {
      error: "must be the name of an npm package, like @acme/fettle-bridge",
    })
    .optional(),
  METRICS_TOKEN: z.string().min(16, { error: "must have at least 16 characters" }).optional(),
  DRAIN_SECONDS: wholeNumber(0, 60).default(3),
  DATABASE_WAIT_SECONDS: wholeNumber(0, 3600).default(60),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URLS: list.pipe(z.array(postgresUrl)).default([]),
  DATABASE_PREPARED_STATEMENTS: z
    .enum(["on", "off"], { error: 'must be "on" or "off"' })
    .default("on"),
  DATA_DIR: z.string().default(join(repositoryRoot, ".data")),
  REDIS_URL: url(["redis:", "rediss:"], "a Redis address like redis://host:6379").optional(),
  SMTP_URL: url(["smtp:", "smtps:"], "an address like smtp://user:password@host:587").optional(),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^\s<>@]+@[^\s<>@]+|[^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>)$/, {
      error: "must be an address like fettle@example.com or Fettle <fettle@example.com>",
    })
    .optional(),
  SECRET_KEYS: list
    .pipe(z.array(z.string().min(32, { error: "every key must have at least 32 characters" })))
    .default([]),
  ALLOW_NEW_SECRET_KEYS: flag.default(false),
  SIGNUP: z.enum(["invite", "open"], { error: 'must be "invite" or "open"' }).default("invite"),
  TRUST_PROXY: z
    .string()
    .refine(isTrustProxy, {
      error: "must be false, a number of proxies, or a comma list of their addresses",
    })
    .default("false")
    .transform(toTrustProxy),
  RATE_LIMIT: z.enum(["on", "off"], { error: 'must be "on" or "off"' }).default("on"),
  OAUTH_REFRESH_GRACE_SECONDS: wholeNumber(0, 3600).default(0),
  OAUTH_CLIENT_DOCUMENTS: z.enum(["on", "off"], { error: 'must be "on" or "off"' }).default("on"),
  OAUTH_CLIENT_DOMAINS_ALLOWED: domains,
  OAUTH_CLIENT_DOMAINS_DENIED: domains,
  OAUTH_UNUSED_CLIENTS_MB: wholeNumber(1, 100_000).default(64),
  RETENTION_TOOL_CALLS_DAYS: wholeNumber(1, maxDays).default(defaultRetention.toolCalls),
  RETENTION_MAILS_DAYS: wholeNumber(1, maxDays).default(defaultRetention.mails),
  RETENTION_USED_TOKENS_DAYS: wholeNumber(90, maxDays).default(defaultRetention.usedTokens),
  RETENTION_UNUSED_CLIENTS_DAYS: wholeNumber(1, maxDays).default(defaultRetention.unusedClients),
  RETENTION_AUDIT_DAYS: wholeNumber(0, maxDays)
    .refine((days) => days === 0 || days >= 90, {
      error: "must be 0 (for ever) or at least 90",
    })
    .default(defaultRetention.audit),
  ...fileVariables,
  MCP_STRICT_HEADERS: flag.default(false),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be one of fatal, error, warn, info, debug, trace, silent",
    })
    .default("info"),
});

export const variableNames = Object.keys(environment.shape);

export function parseConfig(variables: Variables): Config {
  const { given, problems } = readVariables(variables);
  const parsed = environment.safeParse(given);
  if (!parsed.success || problems.length > 0) {
    const issues = parsed.error?.issues ?? [];
    throw wrongVariables([
      ...problems,
      ...issues.map((issue) => `${String(issue.path[0])} ${issue.message}`),
    ]);
  }
  const env = parsed.data;
  const baseUrl =
    env.BASE_URL === undefined ? `http://localhost:${env.PORT}` : new URL(env.BASE_URL).origin;
  const missing = findMissing(env, new URL(baseUrl));
  if (missing !== undefined) throw wrongVariables([missing]);
  return {
    host: env.HOST,
    port: env.PORT,
    baseUrl,
    baseUrlGiven: env.BASE_URL !== undefined,
    allowedOrigins: env.ALLOWED_ORIGINS ?? [],
    redirectSchemes: env.REDIRECT_SCHEMES,
    privateNetworks: env.ALLOWED_PRIVATE_NETWORKS,
    bridgePackage: env.BRIDGE_PACKAGE,
    metricsToken: env.METRICS_TOKEN,
    drainSeconds: env.DRAIN_SECONDS,
    databaseUrl: env.DATABASE_URL,
    replicaUrls: env.DATABASE_REPLICA_URLS,
    databaseWaitSeconds: env.DATABASE_WAIT_SECONDS,
    preparedStatements: env.DATABASE_PREPARED_STATEMENTS === "on",
    dataDir: resolve(env.DATA_DIR),
    redisUrl: env.REDIS_URL,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    secretKeys: env.SECRET_KEYS,
    allowNewSecretKeys: env.ALLOW_NEW_SECRET_KEYS,
    signup: env.SIGNUP,
    trustProxy: env.TRUST_PROXY,
    rateLimit: env.RATE_LIMIT === "on",
    refreshGraceSeconds: env.OAUTH_REFRESH_GRACE_SECONDS,
    clientDocuments: {
      enabled: env.OAUTH_CLIENT_DOCUMENTS === "on",
      allowed: env.OAUTH_CLIENT_DOMAINS_ALLOWED,
      denied: env.OAUTH_CLIENT_DOMAINS_DENIED,
    },
    retention: {
      toolCalls: env.RETENTION_TOOL_CALLS_DAYS,
      mails: env.RETENTION_MAILS_DAYS,
      usedTokens: env.RETENTION_USED_TOKENS_DAYS,
      unusedClients: env.RETENTION_UNUSED_CLIENTS_DAYS,
      unusedClientBytes: env.OAUTH_UNUSED_CLIENTS_MB * 1024 * 1024,
      audit: env.RETENTION_AUDIT_DAYS,
    },
    files: toFileSettings(env),
    strictHeaders: env.MCP_STRICT_HEADERS,
    logLevel: env.LOG_LEVEL,
  };
}

type Environment = z.output<typeof environment>;

/** Checks variables that require each other. */
function findMissing(env: Environment, { protocol, hostname }: URL): string | undefined {
  if (protocol === "http:" && !isLoopback(hostname) && !env.ALLOW_HTTP) {
    return "BASE_URL must start with https:// (http is for loopback only; set ALLOW_HTTP=true to insist)";
  }
  if (env.DATABASE_REPLICA_URLS.length > 0 && env.DATABASE_URL === undefined) {
    return "DATABASE_URL must be set together with DATABASE_REPLICA_URLS";
  }
  if (env.SMTP_URL !== undefined && env.MAIL_FROM === undefined) {
    return "MAIL_FROM must be set together with SMTP_URL";
  }
  return findMissingOfFiles(env);
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function wrongVariables(problems: string[]): StartError {
  return new StartError(
    `Fettle cannot start, ${problems.length === 1 ? "this variable is" : "these variables are"} wrong:\n` +
      problems.map((problem) => `  - ${problem}`).join("\n"),
  );
}

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, origin: parsed, username, password } = new URL(value);
  if (protocol !== "https:" && protocol !== "http:") return false;
  return username === "" && password === "" && parsed.toLowerCase() === value.toLowerCase();
}

function isTrustProxy(value: string): boolean {
  if (/^(false|\d+)$/.test(value)) return true;
  return value.split(",").every((item) => {
    const [address = "", bits, ...rest] = item.trim().split("/");
    if (["loopback", "linklocal", "uniquelocal"].includes(item.trim())) return true;
    const width = isIP(address) === 4 ? 32 : 128;
    return (
      isIP(address) !== 0 &&
      rest.length === 0 &&
      (bits === undefined || (/^[1-9]\d*$/.test(bits) && Number(bits) <= width))
    );
  });
}

/** "false", a number of hops, or a comma list of addresses (Fastify's trustProxy). */
function toTrustProxy(value: string): false | number | string {
  if (value === "false") return false;
  return /^\d+$/.test(value) ? Number(value) : value;
}
