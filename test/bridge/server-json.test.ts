import { readFileSync } from "node:fs";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { describe, expect, test } from "vitest";

interface ServerJson {
  $schema: string;
  name: string;
  version: string;
  packages?: unknown[];
  remotes: { url: string; variables: object }[];
}

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

const schema = read("./schemas/server.schema.json") as { $schema?: string; $id: string };
// The validator knows only a later dialect. The keywords used here mean the same in both.
delete schema.$schema;
const validate = new AjvJsonSchemaValidator().getValidator<ServerJson>(schema);
const server = read("../../bridge/server.json") as ServerJson;
const manifest = read("../../bridge/package.json") as { version: string; mcpName: string };

describe("MCP registry entry", () => {
  test("is valid against the registry's schema", () => {
    expect(validate(server).errorMessage).toBeUndefined();
    expect(server.$schema).toBe(schema.$id);
  });

  test.each<[string, object]>([
    ["a name without a namespace", { name: "fettle-bridge" }],
    ["a long description", { description: "x".repeat(101) }],
    ["a server without an address", { remotes: [{ type: "streamable-http" }] }],
  ])("is invalid with %s", (_what, wrong) => {
    expect(validate({ ...server, ...wrong }).valid).toBe(false);
  });

  test("has the bridge's name and version, and lists no package while none is published", () => {
    expect([server.name, server.version]).toEqual([manifest.mcpName, manifest.version]);
    expect(server.packages).toBeUndefined();
  });

  test("asks for the server's host", () => {
    const [remote] = server.remotes;

    expect(remote?.url).toBe("https://{host}/mcp");
    expect(Object.keys(remote?.variables ?? {})).toEqual(["host"]);
  });
});
