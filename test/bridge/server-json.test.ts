import { readFileSync } from "node:fs";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { describe, expect, test } from "vitest";
import { readOptions, valueOptions } from "../../bridge/src/context/options.js";
import { makeIo } from "../support/bridge-io.js";

interface ServerJson {
  $schema: string;
  name: string;
  version: string;
  packages: {
    identifier: string;
    version: string;
    packageArguments: { type: string; name?: string; choices?: string[] }[];
    environmentVariables: { name: string; choices?: string[] }[];
  }[];
}

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

const schema = read("./schemas/server.schema.json") as { $schema?: string; $id: string };
// The validator knows a later dialect only; what is used here means the same in both.
delete schema.$schema;
const validate = new AjvJsonSchemaValidator().getValidator<ServerJson>(schema);
const server = read("../../bridge/server.json") as ServerJson;
const manifest = read("../../bridge/package.json") as {
  name: string;
  version: string;
  mcpName: string;
};

describe("what the MCP registry is told of the bridge", () => {
  test("is valid against the registry's schema", () => {
    expect(validate(server).errorMessage).toBeUndefined();
    expect(server.$schema).toBe(schema.$id);
  });

  test.each<[string, Partial<ServerJson> | object]>([
    ["a name without a namespace", { name: "fettle-bridge" }],
    ["a long description", { description: "x".repeat(101) }],
    ["an argument without a hint", { packages: [{ packageArguments: [{ type: "positional" }] }] }],
    ["the latest version", { packages: [{ ...server.packages[0], version: "latest" }] }],
  ])("would not be with %s", (_what, wrong) => {
    expect(validate({ ...server, ...wrong }).valid).toBe(false);
  });

  test("names the package as it is published, which proves that they belong together", () => {
    const [npm] = server.packages;

    expect(npm?.identifier).toBe(manifest.name);
    expect([server.version, npm?.version]).toEqual([manifest.version, manifest.version]);
    expect(manifest.mcpName).toBe(server.name);
  });
  test("asks only for what the bridge knows", () => {
    const [npm] = server.packages;
    const [address, ...options] = npm?.packageArguments ?? [];

    expect(address?.type).toBe("positional");
    const known = valueOptions.map(({ flags }) => flags.split(" ")[0]);
    for (const { name } of options) expect(known).toContain(name);
    const storage = options.find(({ name }) => name === "--storage")?.choices ?? [];
    expect(storage.map((choice) => readOptions({ storage: choice }, makeIo()).storage)).toEqual(
      storage,
    );
    const [log] = npm?.environmentVariables ?? [];
    const levels = log?.choices?.map(
      (choice) => readOptions({}, makeIo({ [log.name]: choice })).logLevel,
    );
    expect(levels).toEqual(log?.choices);
  });
});
