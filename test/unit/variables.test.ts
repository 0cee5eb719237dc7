import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findStartWarnings } from "../../server/src/commands/serve.js";
import { parseConfig, variableNames } from "../../server/src/config.js";
import { warnAboutTypos } from "../../server/src/variables.js";

const folder = mkdtempSync(join(tmpdir(), "fettle-secrets-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function secret(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("secrets in files", () => {
  test("are read from the file named by their variable, without the line end", () => {
    const config = parseConfig({
      DATABASE_URL_FILE: secret("database", "postgres://fettle:x@database/fettle\n"),
      DATABASE_REPLICA_URLS_FILE: secret("replicas", "postgres://fettle:x@replica/fettle\n"),
      SECRET_KEYS_FILE: secret("keys", `${"a".repeat(40)},${"b".repeat(40)}\n`),
      SMTP_URL_FILE: secret("smtp", "smtp://user:x@mail:587\n"),
      MAIL_FROM: "fettle@example.com",
      REDIS_URL_FILE: secret("redis", "redis://:x@redis\n"),
      METRICS_TOKEN_FILE: secret("metrics", "m".repeat(20) + "\n"),
    });

    expect(config).toMatchObject({
      databaseUrl: "postgres://fettle:x@database/fettle",
      replicaUrls: ["postgres://fettle:x@replica/fettle"],
      secretKeys: ["a".repeat(40), "b".repeat(40)],
      smtpUrl: "smtp://user:x@mail:587",
      redisUrl: "redis://:x@redis",
      metricsToken: "m".repeat(20),
    });
  });

  test.each([
    [
      { SECRET_KEYS_FILE: join(folder, "gone") },
      "SECRET_KEYS_FILE names a file that cannot be read",
    ],
    [{ SECRET_KEYS_FILE: secret("empty", "\n") }, "SECRET_KEYS_FILE names a file that is empty"],
    [
      { REDIS_URL: "redis://one", REDIS_URL_FILE: secret("two", "redis://two") },
      "REDIS_URL and REDIS_URL_FILE are both set: keep one",
    ],
    [{ DATABASE_URL_FILE: secret("mysql", "mysql://x/y") }, "DATABASE_URL must be a PostgreSQL"],
  ])("lists the problem with %j", (variables, problem) => {
    expect(() => parseConfig({ ...variables, PORT: "x" })).toThrow(problem);
    expect(() => parseConfig({ ...variables, PORT: "x" })).toThrow("PORT must be");
  });
});

describe("misspelled variables", () => {
  const find = (...names: string[]) =>
    warnAboutTypos(Object.fromEntries(names.map((name) => [name, "x"])), variableNames);

  test.each([
    ["DATABSE_URL", "DATABASE_URL"],
    ["DATABASE_URL_FIEL", "DATABASE_URL_FILE"],
    ["BASEURL", "BASE_URL"],
    ["LOGLEVEL", "LOG_LEVEL"],
    ["SIGN_UP", "SIGNUP"],
    ["SECRET_KEY", "SECRET_KEYS"],
    ["TRUSTED_PROXY", "TRUST_PROXY"],
  ])("%s gets the suggestion %s", (wrong, meant) => {
    expect(find(wrong)).toEqual([
      `${wrong} is no variable of Fettle and has no effect: did you mean ${meant}?`,
    ]);
  });

  test("ignores variables of the system and other programs", () => {
    const others =
      "PATH HOME HOSTNAME LANG LOGNAME MAIL OLDPWD PWD SHELL SHLVL TERM TZ USER _ NODE_ENV NODE_OPTIONS " +
      "JAVA_HOME XDG_DATA_DIRS XDG_DATA_HOME PGDATA PGHOST PGPORT POST HOSTS PORTS TEST_DATABASE_URL CI " +
      "npm_config_port npm_package_name SSL_CERT_FILE KUBERNETES_PORT FETTLE_BRIDGE_LOG";

    expect(find(...others.split(" "))).toEqual([]);
  });

  test("ignores a variable next to the one it resembles", () => {
    expect(find("DATABASE_URI", "DATABASE_URL")).toEqual([]);
  });
});

test("docker-compose.yml passes through every variable", () => {
  const compose = readFileSync(new URL("../../docker-compose.yml", import.meta.url), "utf8");
  const passed = [...compose.matchAll(/^ {6}(\w+?)(?:_FILE)?:/gm)].map(([, name]) => name);
  const ofTheImage = ["HOST", "DATA_DIR"];

  expect(passed).toEqual(
    expect.arrayContaining(variableNames.filter((name) => !ofTheImage.includes(name))),
  );
});

describe("startup warnings", () => {
  const mb = 1024 * 1024;
  const alone = parseConfig({});

  test("gives none with the defaults or behind a real address", () => {
    expect(findStartWarnings(alone, 0)).toEqual([]);
    expect(findStartWarnings(alone, 2 ** 64)).toEqual([]);
    const open = parseConfig({
      HOST: "0.0.0.0",
      BASE_URL: "https://fettle.example.com",
      TRUST_PROXY: "1",
    });
    expect(findStartWarnings(open, 1024 * mb)).toEqual([]);
  });

  test("warns about https without a trusted proxy", () => {
    expect(findStartWarnings(parseConfig({ BASE_URL: "https://fettle.example.com" }), 0)).toEqual([
      expect.stringContaining("TRUST_PROXY is not set") as string,
    ]);
  });

  test.each([{ HOST: "0.0.0.0" }, { HOST: "192.0.2.7" }, { TRUST_PROXY: "1" }])(
    "warns about %j with BASE_URL on localhost",
    (variables) => {
      expect(findStartWarnings(parseConfig(variables), 0)).toEqual([
        expect.stringContaining("BASE_URL is http://localhost:3000") as string,
      ]);
    },
  );

  test("warns about low memory for the embedded database, not for PostgreSQL", () => {
    const remote = parseConfig({ DATABASE_URL: "postgres://database/fettle" });

    expect(findStartWarnings(alone, 512 * mb)).toEqual([
      expect.stringContaining("may use 512 MB of memory") as string,
    ]);
    expect(findStartWarnings(remote, 512 * mb)).toEqual([]);
  });
});
