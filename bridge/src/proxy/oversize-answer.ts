import type { BridgeErrorCode } from "../errors.js";
import { longestLine } from "./lines.js";
import type { Oversize } from "./oversize.js";

const code: BridgeErrorCode = "too_large";
const mebibytes = longestLine / 1024 / 1024;
const error = JSON.stringify({
  code: -32600,
  message:
    `This message is longer than ${mebibytes} MiB, the most that is passed on at once. ` +
    "It was not sent to the server. Send less in one message.",
  data: { code },
});

/** The frame that tells the host; undefined for what has no answer in JSON-RPC. */
export function answerOversize({ id, hasMethod }: Oversize): string | undefined {
  const isNotification = hasMethod && id === undefined;
  const isAnswer = !hasMethod && id !== undefined;
  if (isNotification || isAnswer) return undefined;
  return `{"jsonrpc":"2.0","id":${id ?? "null"},"error":${error}}`;
}
