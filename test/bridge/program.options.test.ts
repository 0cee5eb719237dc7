import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { readOptions, type CliOptions } from "../../bridge/src/context/options.js";
import { makeHome } from "../support/bridge-context.js";
import { makeIo } from "../support/bridge-io.js";

const certificate = fileURLToPath(new URL("../support/localhost.pem", import.meta.url));
const noCertificate = fileURLToPath(import.meta.url);
const folder = makeHome();
const onlyCertificate = join(folder.path, "certificate.pem");
writeFileSync(onlyCertificate, rootCertificates[0] ?? "");
afterAll(folder.remove);

function read(given: CliOptions, environment: Record<string, string> = {}) {
  return readOptions(given, makeIo(environment));
}

test("uses the defaults without options and variables", () => {
  const options = read({});

  expect(options).toEqual({
    profile: "",
    storage: "auto",
    scope: undefined,
    headers: [],
    callbackPort: 0,
    timeoutMs: 60_000,
    caFile: undefined,
    cert: undefined,
    key: undefined,
    readOnly: false,
    logLevel: "error",
    browser: undefined,
    client: undefined,
    clientMetadataUrl: undefined,
    environment: {},
  });
});

test.each<[CliOptions, object]>([
  [{ storage: "auto" }, { storage: "auto" }],
  [{ storage: "keychain" }, { storage: "keychain" }],
  [{ storage: "file" }, { storage: "file" }],
  [{ profile: "work-2.b_c" }, { profile: "work-2.b_c" }],
  [{ scope: "mcp_read mcp_write" }, { scope: "mcp_read mcp_write" }],
  [{ callbackPort: "0" }, { callbackPort: 0 }],
  [{ callbackPort: "65535" }, { callbackPort: 65_535 }],
  [{ timeout: "1" }, { timeoutMs: 1000 }],
  [{ timeout: "86400" }, { timeoutMs: 86_400_000 }],
  [{ caFile: certificate }, { caFile: certificate }],
  [{ cert: certificate }, { cert: certificate, key: undefined }],
  [
    { cert: certificate, key: certificate },
    { cert: certificate, key: certificate },
  ],
  [{ readOnly: true }, { readOnly: true }],
  [{ logLevel: "silent" }, { logLevel: "silent" }],
  [{ logLevel: "debug" }, { logLevel: "debug" }],
])("accepts the option %o", (given, expected) => {
  const options = read(given);

  expect(options).toMatchObject(expected);
});

test.each<[string, string, object]>([
  ["FETTLE_BRIDGE_STORAGE", "file", { storage: "file" }],
  ["FETTLE_BRIDGE_PROFILE", "home", { profile: "home" }],
  ["FETTLE_BRIDGE_SCOPE", "mcp_read", { scope: "mcp_read" }],
  ["FETTLE_BRIDGE_LOG", "info", { logLevel: "info" }],
  ["NODE_EXTRA_CA_CERTS", certificate, { caFile: certificate }],
  ["FETTLE_BRIDGE_CERT", certificate, { cert: certificate, key: undefined }],
  ["BROWSER", "firefox", { browser: "firefox" }],
  ["FETTLE_BRIDGE_CLIENT_ID", "our-app", { client: { id: "our-app", secret: undefined } }],
  [
    "FETTLE_BRIDGE_CLIENT_METADATA_URL",
    "https://example.com/client.json",
    { clientMetadataUrl: "https://example.com/client.json" },
  ],
])("accepts the variable %s, and ignores it when empty", (name, value, expected) => {
  const set = read({}, { [name]: value });
  const empty = read({}, { [name]: "" });

  expect(set).toMatchObject(expected);
  expect(empty).toEqual({ ...read({}), environment: { [name]: "" } });
});

test.each<[CliOptions, Record<string, string>, object]>([
  [{ storage: "file" }, { FETTLE_BRIDGE_STORAGE: "keychain" }, { storage: "file" }],
  [{ profile: "a" }, { FETTLE_BRIDGE_PROFILE: "b" }, { profile: "a" }],
  [{ scope: "mcp_read" }, { FETTLE_BRIDGE_SCOPE: "mcp_write" }, { scope: "mcp_read" }],
  [{ logLevel: "debug" }, { FETTLE_BRIDGE_LOG: "silent" }, { logLevel: "debug" }],
  [{ caFile: certificate }, { NODE_EXTRA_CA_CERTS: "/nowhere" }, { caFile: certificate }],
])("the option %o overrides the variable %o", (given, environment, expected) => {
  const options = read(given, environment);

  expect(options).toMatchObject(expected);
});

test("combines a client id and its secret into one client", () => {
  const options = read(
    {},
    { FETTLE_BRIDGE_CLIENT_ID: "our-app", FETTLE_BRIDGE_CLIENT_SECRET: "s3cret" },
  );

  expect(options.client).toEqual({ id: "our-app", secret: "s3cret" });
});

describe("rejection of a wrong value, with a sentence that names its source", () => {
  test.each<[CliOptions, string]>([
    [{ storage: "disk" }, "--storage must be auto, keychain or file."],
    [{ storage: "" }, "--storage must be auto, keychain or file."],
    [{ profile: "a b" }, "--profile must be at most 64 letters"],
    [{ profile: "x".repeat(65) }, "--profile must be at most 64 letters"],
    [{ scope: " mcp_read" }, "--scope must be scopes separated by single spaces"],
    [{ scope: "a  b" }, "--scope must be scopes separated by single spaces"],
    [{ callbackPort: "65536" }, "--callback-port must be a whole number from 0"],
    [{ callbackPort: "-1" }, "--callback-port must be a whole number from 0"],
    [{ callbackPort: "http" }, "--callback-port must be a whole number from 0"],
    [{ timeout: "0" }, "--timeout must be a whole number of seconds from 1 to 86400."],
    [{ timeout: "1.5" }, "--timeout must be a whole number of seconds from 1 to 86400."],
    [{ timeout: "86401" }, "--timeout must be a whole number of seconds from 1 to 86400."],
    [{ caFile: "/nowhere" }, "--ca-file must be a file that can be read"],
    [{ caFile: noCertificate }, "--ca-file must be a file that can be read"],
    [{ cert: "/nowhere" }, "--cert must be a file that can be read and holds a certificate"],
    [{ cert: certificate, key: "/nowhere" }, "--key must be a file that can be read and holds a"],
    [
      { cert: certificate, key: noCertificate },
      "--key must be a file that can be read and holds a",
    ],
    [{ key: certificate }, "--key must come with --cert."],
    [{ cert: onlyCertificate }, "--cert must come with --key, or hold the key too."],
    [{ logLevel: "trace" }, "--log-level must be silent, error, info or debug."],
  ])("%o", (given, sentence) => {
    expect(() => read(given)).toThrow(sentence);
  });

  test.each<[string, string]>([
    ["FETTLE_BRIDGE_STORAGE", "disk"],
    ["FETTLE_BRIDGE_PROFILE", "a/b"],
    ["FETTLE_BRIDGE_SCOPE", 'quote"'],
    ["FETTLE_BRIDGE_LOG", "verbose"],
    ["NODE_EXTRA_CA_CERTS", "/nowhere"],
    ["FETTLE_BRIDGE_CERT", "/nowhere"],
    ["FETTLE_BRIDGE_KEY", "/nowhere"],
    ["FETTLE_BRIDGE_CLIENT_ID", "two words"],
    ["FETTLE_BRIDGE_CLIENT_METADATA_URL", "http://example.com/client.json"],
    ["FETTLE_BRIDGE_CLIENT_METADATA_URL", "https://example.com/"],
  ])("%s=%s", (name, value) => {
    expect(() => read({}, { [name]: value })).toThrow(`${name} must be `);
  });

  test("a client secret without its id", () => {
    expect(() => read({}, { FETTLE_BRIDGE_CLIENT_SECRET: "s3cret" })).toThrow(
      "FETTLE_BRIDGE_CLIENT_SECRET must come with FETTLE_BRIDGE_CLIENT_ID.",
    );
  });
});

describe("extra headers", () => {
  test("are split at the first colon, with the value trimmed", () => {
    const options = read({ header: ["X-Tenant: north:1", "x-empty:", "Authorization: Bearer k"] });

    expect(options.headers).toEqual([
      ["X-Tenant", "north:1"],
      ["x-empty", ""],
      ["Authorization", "Bearer k"],
    ]);
  });

  test.each([
    "X-Tenant",
    ": value",
    "X Tenant: value",
    "X-Tenant: one\r\nX-Other: two",
    "X-Tenant: ☃",
    "Content-Length: 3",
    "Host: elsewhere",
    "Transfer-Encoding: chunked",
    "Mcp-Session-Id: 1",
  ])("rejects %j without repeating its value", (header) => {
    expect(() => read({ header: [header] })).toThrow(
      /^--header must be "Name: value", and not a header that the bridge writes itself\.$/,
    );
  });
});
