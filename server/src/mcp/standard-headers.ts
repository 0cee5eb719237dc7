import { isObject } from "./normalize.js";
import { RpcError, rpcCodes } from "./rpc.js";

/** The headers that mirror the body of a request (revision 2026-07-28). */
export interface MirrorHeaders {
  version: string | undefined;
  method: string | undefined;
  name: string | undefined;
}

/** Node joins repeated headers with commas; some proxies repeat one, which says nothing new. */
export function singleValue(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const values = (Array.isArray(header) ? header.join(",") : header)
    .split(",")
    .map((value) => value.trim());
  const first = values[0] ?? "";
  return values.every((value) => value === first) ? first : values.join(", ");
}

/**
 * What the SDK's classification leaves to its own entry: the headers must be there, and Mcp-Name must
 * be the name of the tool or prompt, or the address of the resource. Mismatches of version and method were refused before.
 */
export function checkMirrorHeaders(
  headers: MirrorHeaders,
  message: { method: string; params?: unknown },
  { presence }: { presence: boolean },
): void {
  if (presence && headers.version === undefined) throw missing("MCP-Protocol-Version");
  if (presence && headers.method === undefined) throw missing("Mcp-Method");
  const named = namedParameters.get(message.method);
  if (named === undefined) return;
  const name = textOf(message.params, named);
  if (headers.name === undefined) {
    if (presence && name !== undefined) throw missing("Mcp-Name");
    return;
  }
  const decoded = decode(headers.name);
  if (decoded === undefined) throw mismatch("the Mcp-Name header has an invalid Base64 value");
  if (name !== undefined && decoded !== name) {
    throw mismatch(`params.${named} and the Mcp-Name header are different`);
  }
}

/** What Mcp-Name mirrors, by method. */
const namedParameters = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

function textOf(params: unknown, name: string): string | undefined {
  const value = isObject(params) ? params[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Values that no header can carry come as `=?base64?…?=`. */
function decode(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded) || encoded.length % 4 !== 0) return undefined;
  return Buffer.from(encoded, "base64").toString();
}

function missing(header: string): RpcError {
  return mismatch(`the required ${header} header is absent`);
}

function mismatch(what: string): RpcError {
  return new RpcError(
    `Bad Request: the request headers and body disagree: ${what}.`,
    rpcCodes.headerMismatch,
    { status: 400 },
  );
}
