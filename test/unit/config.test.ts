import { describe, expect, test } from "vitest";
import { parseConfig } from "../../server/src/config.js";

function problemsOf(variables: Record<string, string>): string {
  try {
    parseConfig(variables);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("the variables were accepted");
}

describe("server variables", () => {
  test("ALLOWED_PRIVATE_NETWORKS lists networks and addresses", () => {
    const networks = ["10.0.0.0/8", "fd00::/8", "192.168.4.7"];
    expect(parseConfig({ ALLOWED_PRIVATE_NETWORKS: networks.join(", ") }).privateNetworks).toEqual(
      networks,
    );
    for (const wrong of ["10.0.0.0/33", "intern.example", "10.0.0.0/8;fd00::/8", "*"]) {
      expect(problemsOf({ ALLOWED_PRIVATE_NETWORKS: wrong })).toContain(
        "ALLOWED_PRIVATE_NETWORKS names networks like 10.0.0.0/8,fd00::/8",
      );
    }
  });

  test("BRIDGE_PACKAGE is an npm package name, not an address or a flag", () => {
    for (const name of ["@acme/fettle-bridge", "fettle-bridge", "@acme/fettle-bridge@1.2.0"]) {
      expect(parseConfig({ BRIDGE_PACKAGE: name }).bridgePackage).toBe(name);
    }
    for (const name of ["https://a.example/x.tgz", "--help", "a b", "@acme", "A"]) {
      expect(problemsOf({ BRIDGE_PACKAGE: name })).toContain("BRIDGE_PACKAGE must be the name");
    }
  });

  test("uses the documented defaults when nothing is set", () => {
    const config = parseConfig({});

    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      baseUrl: "http://localhost:3000",
      redirectSchemes: ["cursor", "vscode"],
      databaseUrl: undefined,
      signup: "invite",
      trustProxy: false,
      rateLimit: true,
      refreshGraceSeconds: 0,
      clientDocuments: { enabled: true, allowed: [], denied: [] },
      retention: {
        toolCalls: 90,
        mails: 90,
        usedTokens: 180,
        unusedClients: 14,
        unusedClientBytes: 64 * 1024 * 1024,
        audit: 0,
      },
      strictHeaders: false,
      logLevel: "info",
    });
    expect(config.dataDir).toMatch(/\/\.data$/);
  });

  test("treats an empty variable as unset", () => {
    expect(parseConfig({ PORT: "", DATABASE_URL: "", BASE_URL: "" }).port).toBe(3000);
  });

  test("names every invalid variable in one message with its accepted form", () => {
    const message = problemsOf({
      PORT: "http",
      SIGNUP: "maybe",
      DATABASE_URL: "mysql://x/y",
      RATE_LIMIT: "no",
      OAUTH_REFRESH_GRACE_SECONDS: "-1",
    });

    expect(message).toContain("PORT must be a whole number from 0 to 65535");
    expect(message).toContain('SIGNUP must be "invite" or "open"');
    expect(message).toContain("DATABASE_URL must be a PostgreSQL address");
    expect(message).toContain('RATE_LIMIT must be "on" or "off"');
    expect(message).toContain("OAUTH_REFRESH_GRACE_SECONDS must be a whole number");
  });

  test("accepts a list of replica addresses only with a primary address", () => {
    const replicas = "postgres://one:5432/fettle, postgres://two:5432/fettle";
    const primary = { DATABASE_URL: "postgres://database/fettle" };
    const parsed = parseConfig({ ...primary, DATABASE_REPLICA_URLS: replicas });
    expect(parsed.replicaUrls).toEqual([
      "postgres://one:5432/fettle",
      "postgres://two:5432/fettle",
    ]);
    expect(parseConfig(primary).replicaUrls).toEqual([]);
    expect(problemsOf({ DATABASE_REPLICA_URLS: replicas })).toContain(
      "DATABASE_URL must be set together with DATABASE_REPLICA_URLS",
    );
    const wrong = problemsOf({ ...primary, DATABASE_REPLICA_URLS: "postgres://one/a,hidden-word" });
    expect(wrong).toContain("DATABASE_REPLICA_URLS must be a PostgreSQL address");
    expect(wrong).not.toContain("hidden-word");
  });

  test("CIMD-11 accepts client domains in lowercase, without scheme or port", () => {
    const { clientDocuments } = parseConfig({
      OAUTH_CLIENT_DOCUMENTS: "off",
      OAUTH_CLIENT_DOMAINS_ALLOWED: "claude.ai, apps.example",
      OAUTH_CLIENT_DOMAINS_DENIED: "evil.apps.example",
    });
    expect(clientDocuments).toEqual({
      enabled: false,
      allowed: ["claude.ai", "apps.example"],
      denied: ["evil.apps.example"],
    });
    for (const wrong of ["https://claude.ai", "claude.ai:443", "*.claude.ai", "Claude.ai", "ai"]) {
      expect(problemsOf({ OAUTH_CLIENT_DOMAINS_DENIED: wrong })).toContain(
        "OAUTH_CLIENT_DOMAINS_DENIED names domains in lower case",
      );
    }
    expect(problemsOf({ OAUTH_CLIENT_DOCUMENTS: "no" })).toContain('must be "on" or "off"');
  });

  test("GRO-04 requires at least 90 days for used refresh tokens and the audit log", () => {
    expect(problemsOf({ RETENTION_USED_TOKENS_DAYS: "89" })).toContain("from 90 to");
    expect(problemsOf({ RETENTION_AUDIT_DAYS: "89" })).toContain("0 (for ever) or at least 90");
    expect(problemsOf({ RETENTION_TOOL_CALLS_DAYS: "0" })).toContain("from 1 to");
    const { retention } = parseConfig({
      RETENTION_AUDIT_DAYS: "90",
      RETENTION_USED_TOKENS_DAYS: "90",
      RETENTION_MAILS_DAYS: "7",
    });
    expect(retention).toMatchObject({ audit: 90, usedTokens: 90, mails: 7, toolCalls: 90 });
  });

  test("removes a trailing slash from BASE_URL", () => {
    expect(parseConfig({ BASE_URL: "https://fettle.example.com/" }).baseUrl).toBe(
      "https://fettle.example.com",
    );
  });

  test.each([
    "https://fettle.example.com/app",
    "https://fettle.example.com?x=1",
    "https://fettle.example.com#x",
    "https://u:p@fettle.example.com",
    "ftp://fettle.example.com",
    "fettle.example.com",
  ])("META-10: rejects BASE_URL %s", (value) => {
    expect(problemsOf({ BASE_URL: value })).toContain("BASE_URL must be scheme and host only");
  });

  test("META-10: allows http for loopback, and elsewhere only with ALLOW_HTTP", () => {
    expect(problemsOf({ BASE_URL: "http://fettle.example.com" })).toContain("https://");
    expect(parseConfig({ BASE_URL: "http://127.0.0.1:8080" }).baseUrl).toBe(
      "http://127.0.0.1:8080",
    );
    expect(parseConfig({ BASE_URL: "http://fettle.example.com", ALLOW_HTTP: "true" }).baseUrl).toBe(
      "http://fettle.example.com",
    );
  });

  test.each(["javascript", "data", "file", "http", "https"])(
    "REDIRECT_SCHEMES rejects %s",
    (scheme) => {
      expect(problemsOf({ REDIRECT_SCHEMES: `cursor,${scheme}` })).toContain("REDIRECT_SCHEMES");
    },
  );

  test("rejects a short secret key", () => {
    expect(problemsOf({ SECRET_KEYS: "short" })).toContain("at least 32 characters");
  });

  test("TRUST_PROXY accepts hops, addresses and false", () => {
    expect(parseConfig({ TRUST_PROXY: "1" }).trustProxy).toBe(1);
    expect(parseConfig({ TRUST_PROXY: "10.0.0.0/8" }).trustProxy).toBe("10.0.0.0/8");
    expect(parseConfig({ TRUST_PROXY: "false" }).trustProxy).toBe(false);
  });

  test.each([
    "true",
    "yes",
    "1,10.0.0.1",
    "10.0.0.0/64",
    "10.0.0.0/0",
    "::/0",
    "10.0.0.0/8/8",
    "proxy.example.com",
  ])("rejects TRUST_PROXY %s at startup", (value) => {
    expect(problemsOf({ TRUST_PROXY: value })).toContain("TRUST_PROXY must be");
  });

  test("MAIL_FROM accepts one sender, with or without a name, together with SMTP_URL", () => {
    const SMTP_URL = "smtp://localhost:25";
    for (const MAIL_FROM of ["fettle@example.com", "Fettle <fettle@example.com>"]) {
      expect(parseConfig({ SMTP_URL, MAIL_FROM }).mailFrom).toBe(MAIL_FROM);
    }
    for (const MAIL_FROM of ["Fettle", "a@example.com, b@example.com", "a@x\r\nBcc: b@x"]) {
      expect(problemsOf({ SMTP_URL, MAIL_FROM })).toContain("MAIL_FROM must be an address");
    }
    expect(problemsOf({ SMTP_URL })).toContain("MAIL_FROM must be set");
  });

  test("compares ALLOWED_ORIGINS in lowercase", () => {
    expect(parseConfig({ ALLOWED_ORIGINS: "https://App.Example.com" }).allowedOrigins).toEqual([
      "https://app.example.com",
    ]);
  });

  test("never shows the database password in a message", () => {
    expect(problemsOf({ DATABASE_URL: "mysql://user:hidden-word@host/db" })).not.toContain(
      "hidden-word",
    );
  });
});
