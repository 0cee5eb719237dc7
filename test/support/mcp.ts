import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { allScopes, type Scope } from "fettle-shared";
import { expect } from "vitest";
import { toListedOutput, type JsonSchema } from "../../server/src/mcp/json-schema.js";
import { registeredTools } from "../../server/src/mcp/registry.js";
import type { TestApp } from "./app.js";
import { aMember, type Member, type MemberOptions } from "./builders.js";
import { connectOfficialClient, type OfficialClient } from "./mcp-clients.js";
import { aToken } from "./tokens.js";

export type Json = Record<string, unknown>;

export interface ToolResult {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent: Json;
}

export interface ToolError {
  code: string;
  message: string;
  field?: string;
  hint?: string;
  details?: Json;
}

/** A person with a connected app, for tool tests. */
export interface Connected {
  member: Member;
  token: string;
  connectionId: string;
  /** The unmodified result. Checks that its two forms agree. */
  call: (tool: string, args?: Json) => Promise<ToolResult>;
  /** The structured content of a call that must succeed. Checked against the output schema. */
  ok: <Answer = Json>(tool: string, args?: Json) => Promise<Answer>;
  /** The error of a call that must be refused. */
  refused: (tool: string, args?: Json) => Promise<ToolError>;
}

export interface ConnectOptions extends MemberOptions {
  scopes?: Scope[];
  /** An existing person. */
  member?: Member;
  clientId?: string;
}

const validator = new AjvJsonSchemaValidator();
/** By tool. Creating one takes longer than most calls. */
const validators = new Map<string, ((value: unknown) => { errorMessage?: string | undefined })[]>();

/** Connects a person through an official client. Default: a new owner of a new organization. */
export async function connect(
  { app, db, config }: TestApp,
  { scopes = [...allScopes], member: given, clientId, ...person }: ConnectOptions = {},
): Promise<Connected> {
  const member = given ?? (await aMember(db, person));
  const { token, connectionId } = await aToken(db, config, {
    ...member,
    scopes,
    ...(clientId !== undefined && { clientId }),
  });
  let client: Promise<OfficialClient> | undefined;
  const call = async (tool: string, args: Json = {}) => {
    client ??= connectOfficialClient(app, config.baseUrl, token);
    const result = (await (await client).callTool({ name: tool, arguments: args })) as ToolResult;
    checkForms(tool, result);
    return result;
  };
  return {
    member,
    token,
    connectionId,
    call,
    async ok<Answer>(tool: string, args?: Json) {
      const result = await call(tool, args);
      expect(result.isError, result.content[0]?.text).toBeUndefined();
      return result.structuredContent as Answer;
    },
    async refused(tool, args) {
      const result = await call(tool, args);
      expect(result.isError, result.content[0]?.text).toBe(true);
      return result.structuredContent["error"] as ToolError;
    },
  };
}

/** Checks every real result: schema, no empty values, and text equal to the structure. */
function checkForms(tool: string, { isError, content, structuredContent }: ToolResult): void {
  const text = content[0]?.text ?? "";
  if (isError === true) {
    const { message } = structuredContent["error"] as ToolError;
    expect(text.startsWith(message)).toBe(true);
    return;
  }
  expect(JSON.parse(text)).toEqual(structuredContent);
  const schema = registeredTools.get(tool)?.outputSchema;
  if (schema === undefined) throw new Error(`no tool ${tool}`);
  // The whole schema, and what clients see of it.
  const validate =
    validators.get(tool) ??
    [schema, toListedOutput(schema)].map((each) => validator.getValidator(each));
  validators.set(tool, validate);
  for (const check of validate) {
    expect(check(structuredContent).errorMessage ?? "", `${tool}: ${text}`).toBe("");
  }
  expect(findStray(schema, structuredContent, "")).toEqual([]);
}

/** Returns properties missing in the schema, and null values that should be omitted. */
function findStray(schema: JsonSchema, value: unknown, path: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findStray(schema.items ?? {}, item, `${path}[${index}]`));
  }
  if (typeof value !== "object" || value === null) return value === null ? [path] : [];
  if (schema.properties === undefined) return [];
  const { properties, required = [] } = schema;
  return Object.entries(value).flatMap(([name, part]) => {
    const property = properties[name];
    if (property === undefined) return [`${path}.${name}`];
    const empty = part === "" || (Array.isArray(part) && part.length === 0);
    if (empty && !required.includes(name)) return [`${path}.${name} is empty`];
    return findStray(property, part, `${path}.${name}`);
  });
}
