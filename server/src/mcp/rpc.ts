/** JSON, as bytes if constant: encoding a long text takes longer than copying it. */
export type JsonText = string | Buffer;

/** A whole message, in chunks if it is long. They are written unchanged. */
export type MessageText = string | readonly Buffer[];

export function toText(message: MessageText): string {
  return typeof message === "string" ? message : Buffer.concat(message).toString();
}

/** The HTTP response: a status, and JSON unless it is empty. */
export interface RpcAnswer {
  status: number;
  body?: MessageText;
  headers?: Record<string, string>;
}

export type RpcId = string | number | null;

export interface RpcRequest {
  method: string;
  params?: unknown;
}

/** Codes of JSON-RPC and MCP. The SDK exports MCP's codes as error classes. */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  /** Before revision 2026-07-28, which uses invalidParams. */
  resourceNotFound: -32_002,
  /** A server-defined code: refused before the protocol level. */
  refused: -32_000,
  /** The code that clients expect with status 404. */
  sessionNotFound: -32_001,
  headerMismatch: -32_020,
} as const;

/** A protocol error. Errors of tools are results. */
export class RpcError extends Error {
  readonly status: number;
  readonly code: number;
  readonly data: unknown;
  readonly headers: Record<string, string>;

  constructor(
    message: string,
    code: number,
    extra: { status?: number; data?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.status = extra.status ?? 200;
    this.data = extra.data;
    this.headers = extra.headers ?? {};
  }
}

/** The result is already text, so it is serialized only once. */
export function resultText(id: RpcId, result: JsonText): MessageText {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  if (typeof result === "string") return `${head}${result}}`;
  return [Buffer.from(head), result, closingBrace];
}

const closingBrace = Buffer.from("}");

export function errorText(
  id: RpcId,
  { code, message, data }: { code: number; message: string; data?: unknown },
): string {
  const error = { code, message, ...(data !== undefined && { data }) };
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}
