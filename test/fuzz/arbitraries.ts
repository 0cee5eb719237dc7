import { createHash } from "node:crypto";
import fc from "fast-check";
import type { JsonSchema } from "../../server/src/mcp/json-schema.js";
import { registeredTools } from "../../server/src/mcp/registry.js";

/** `<<17>>` is a placeholder for an id or word from responses, `[[17]]` for a field name. */
const known = fc.nat(9999).map((index) => `<<${index}>>`);
const knownName = fc.nat(9999).map((index) => `[[${index}]]`);
const hostile = fc.constantFrom(
  ..."|\0|\ud800|\u202e\u0301|%|%00|..%2f|__proto__|constructor|hasOwnProperty|null|NaN|true".split(
    "|",
  ),
  ..."-1|0|1e309|0x10|2026-02-30|2026-13-01T25:00:00Z|9999-12-31|//x|javascript:alert(1)".split(
    "|",
  ),
  ..."'; DROP TABLE users --|<script>|$1|\\|\"|\r\n|a & !b *:*|http://127.0.0.1:1/".split("|"),
  ...["😀".repeat(40), "a".repeat(5000), "9".repeat(30)],
);
const plain = fc.constantFrom(
  ..."me|none|Pump|2030-05-17|T-1|x@example.com|EUR|mcp_read|https://client.example/callback".split(
    "|",
  ),
);
const text = fc.oneof(known, known, plain, hostile, fc.string({ unit: "binary", maxLength: 40 }));
const key = fc.oneof(knownName, knownName, knownName, plain, hostile);
const number = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.maxSafeInteger(), fc.double());
const anything = fc.oneof(text, number, fc.jsonValue(), fc.dictionary(key, text, { maxKeys: 4 }));

function rarely<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, arbitrary);
}

/** Usually matches the schema. */
function near(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 19, arbitrary: exact(schema) }, anything);
}

function exact({ type, enum: values, items = {}, ...schema }: JsonSchema): fc.Arbitrary<unknown> {
  if (values !== undefined) return fc.constantFrom(...values);
  if (type === "string") return text;
  if (type === "integer" || type === "number") return number;
  if (type === "boolean") return fc.boolean();
  if (type === "array") return fc.array(near(items), { maxLength: 3 });
  const { properties = {}, required = [] } = schema;
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return fc
    .subarray(optional, { maxLength: Math.min(3, optional.length) })
    .chain((names) =>
      fc.record(
        Object.fromEntries(
          [...required, ...names].map((name) => [name, near(properties[name] ?? {})]),
        ),
      ),
    );
}

const toolCall = fc.constantFrom(...registeredTools).chain(([name, { inputSchema }]) =>
  near(inputSchema).map((args) => ({
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
  })),
);
const methods = fc.constantFrom(
  ..."initialize|ping|tools/list|tools/call|server/discover|resources/list|resources/read".split(
    "|",
  ),
  ..."resources/templates/list|resources/subscribe|prompts/list|prompts/get".split("|"),
  ..."completion/complete|logging/setLevel|subscriptions/listen|tasks/get|tasks/result".split("|"),
  ..."notifications/initialized|notifications/cancelled|notifications/progress".split("|"),
);
const parameters = fc.record(
  {
    ...{ uri: text, name: text, arguments: anything, cursor: text, level: text, taskId: text },
    ...{ requestId: anything, progressToken: anything, protocolVersion: text, ref: anything },
    ...{ capabilities: anything, clientInfo: anything, argument: anything, _meta: anything },
  },
  { requiredKeys: [] },
);
const message = fc.record({
  jsonrpc: fc.constantFrom("2.0", "2.0", "1.0", 2),
  id: fc.oneof(number, text, fc.constant(null)),
  method: fc.oneof({ weight: 9, arbitrary: methods }, hostile),
  params: fc.oneof(parameters, anything),
});

/** All parameters of authorization together: endpoints ignore the ones they don't use. */
const verifier = "v".repeat(43);
const constants = {
  response_type: ["code"],
  grant_type: ["authorization_code", "refresh_token"],
  client_id: ["fettle-bridge"],
  client_name: ["App"],
  redirect_uri: ["http://127.0.0.1:1/callback"],
  code_challenge: [createHash("sha256").update(verifier).digest("base64url")],
  code_challenge_method: ["S256"],
  code_verifier: [verifier],
  scope: ["mcp_read", "mcp_read mcp_write"],
  decision: ["allow", "deny"],
  token_endpoint_auth_method: ["none", "client_secret_post"],
};
const properties: Record<string, JsonSchema> = {
  ...Object.fromEntries(
    Object.entries(constants).map(([name, values]) => [name, { enum: values }]),
  ),
  redirect_uris: { type: "array", items: { enum: ["https://client.example/callback"] } },
  ...{ code: { type: "string" }, refresh_token: { type: "string" }, token: { type: "string" } },
};
const authorization = exact({ properties, required: Object.keys(properties) });
const raw = fc.constantFrom(
  ...'|null|[|{"a":1,"a":2}|{"__proto__":{"x":1}}|[1e400]|"\\ud800"|a=1&a=2|%ff=%|&&==&'.split("|"),
  ...["[".repeat(9000), "x".repeat(70_000), '{"a":'.repeat(3000), `[${"{},".repeat(30)}1]`],
);
const json = fc.oneof(anything, message, fc.array(message, { maxLength: 3 }), authorization);
const authorizationForm = authorization.map((asked) =>
  Object.entries(asked as object).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]),
);
const fields = fc.array(fc.tuple(key, text), { maxLength: 6 });

const headers = {
  "content-type": fc.constantFrom("application/json", "text/plain", "multipart/form-data", ";", ""),
  host: fc.constantFrom("evil.example", "localhost", "[::1]:99999", "", "a@b"),
  origin: fc.constantFrom("null", "https://evil.example", "x"),
  accept: fc.constantFrom("text/html", "application/json", "*/*;q=9", "a".repeat(900)),
  cookie: fc.constantFrom("session=x", "a=b; a=c", "=;;%ff", "__proto__=1"),
  authorization: fc.constantFrom("Bearer x", "Basic !!", "Basic Og==", "Bearer", "Digest a"),
  "mcp-protocol-version": fc.constantFrom("2025-03-26", "2025-11-25", "2026-07-28", "9"),
  "x-forwarded-for": text,
};

const shared = {
  headers: rarely(fc.record(headers, { requiredKeys: [] })),
  method: rarely(fc.constantFrom("GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE")),
  parameters: fc.array(text, { minLength: 3, maxLength: 3 }),
  query: fc.oneof(rarely(fields), rarely(fields), authorizationForm),
  fields: fc.oneof(fields, fields, authorizationForm),
  files: rarely(fc.array(fc.tuple(key, text, text), { minLength: 1, maxLength: 3 })),
  /** Position of a byte that is invalid in UTF-8. */
  broken: rarely(fc.nat(50)),
};

export interface RandomRequest {
  /** Index in the list of routes. Without one, the request is a tool call. */
  route?: number;
  as: "nobody" | "person" | "app";
  headers: Record<string, string> | undefined;
  method: string | undefined;
  parameters: string[];
  query: [string, string][] | undefined;
  broken: number | undefined;
  text: string | undefined;
  /** Field, name and content of each file. They make the form multipart. */
  files: [string, string, string][] | undefined;
  /** Sent if there is no text, after the fields of the page's form. */
  fields: [string, string][];
}

const toJson = (value: unknown) => JSON.stringify(value);
export const request: fc.Arbitrary<RandomRequest> = fc.oneof(
  fc.record({
    ...shared,
    as: fc.constant("app" as const),
    text: fc
      .oneof(
        { weight: 5, arbitrary: toolCall },
        { weight: 2, arbitrary: fc.array(toolCall, { maxLength: 4 }) },
        message,
      )
      .map(toJson),
  }),
  fc.record({
    ...shared,
    route: fc.nat(9999),
    as: fc.constantFrom("nobody", "person", "person", "person", "app"),
    text: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, json.map(toJson), raw),
  }),
);
