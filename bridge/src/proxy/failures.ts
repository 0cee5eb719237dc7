import { BridgeError, type BridgeErrorCode } from "../common/errors.js";
import { isRecord, toRecord } from "../common/json.js";
import type { Log } from "../common/log.js";
import { quote } from "../common/text.js";
import type { PendingSignIn } from "../sign-in/sign-in.js";

export interface Failure {
  code: BridgeErrorCode;
  message: string;
  timedOut?: boolean;
  /** Only a person can fix it: the address, a certificate, a proxy. */
  isSetup?: boolean;
}

const outcomeUnknown = "The server may or may not have done it: check before trying again.";
/** For a person whose browser can't redirect to this computer. */
export const otherComputerHint =
  "If that browser is on another computer, run `fettle-bridge login` in a terminal on this one: " +
  "it takes the address that the browser ends on.";

/** Servers of 2024, which speak only HTTP+SSE, refuse with 405. */
const isNotThere = (status: number) => status === 404 || status === 405;

const failure = (code: BridgeErrorCode, message: string): Failure => ({ code, message });

/** For a request that the server may have processed, unless a retry is safe. */
function unanswered(
  isSafe: boolean,
  code: BridgeErrorCode,
  what: string,
  advice = "It is safe to try again.",
): Failure {
  return isSafe
    ? failure(code, `${what} ${advice}`)
    : failure("outcome_unknown", `${what} ${outcomeUnknown}`);
}

export const failures = {
  signInNeeded: (pending?: Pick<PendingSignIn, "url" | "browser">) => {
    const what = "You aren't signed in.";
    const advice =
      pending === undefined
        ? "Call the tool sign_in, or run `fettle-bridge login`, then try again."
        : `Open this address in a browser, sign in, then try again: ${pending.url}`;
    const hint = pending?.browser === "printed" ? `\n${otherComputerHint}` : "";
    return failure("sign_in_needed", `${what} ${advice}${hint}`);
  },
  signInFailed: (reason: string) =>
    failure(
      "sign_in_failed",
      `You aren't signed in. ${reason} Call the tool sign_in to try again.`,
    ),
  signInRefused: () =>
    failure(
      "sign_in_failed",
      "The server does not accept the access that it granted. " +
        "Run `fettle-bridge logout`, then sign in again.",
    ),
  unreachable: (reason: string, advice?: string): Failure => ({
    code: "server_unreachable",
    message:
      `The request could not be sent: ${reason}. Nothing was done` +
      (advice === undefined ? "; try again in a moment, or run" : `. ${advice} More is told by`) +
      " `fettle-bridge doctor`.",
    isSetup: advice !== undefined,
  }),
  busy: (retryAfterMs?: number) => {
    const when =
      retryAfterMs === undefined ? "in a moment" : `in ${Math.ceil(retryAfterMs / 1000)} s`;
    const what = "The server has too much to do. Nothing was done";
    return failure("server_busy", `${what}; try again ${when}.`);
  },
  lost: (isSafe: boolean) =>
    unanswered(
      isSafe,
      "server_unreachable",
      "The connection to the server broke before its answer.",
    ),
  silent: (seconds: number, isSafe: boolean): Failure => ({
    ...unanswered(isSafe, "no_answer", `The server did not answer within ${seconds} s.`),
    timedOut: true,
  }),
  brokenDown: (status: number, isSafe: boolean) =>
    unanswered(isSafe, "server_refused", `The server failed with status ${status}.`),
  unusable: (isSafe: boolean, detail?: string) =>
    unanswered(
      isSafe,
      "server_refused",
      `The server's answer cannot be used${toDetail(detail)}`,
      "Is its address the one of an MCP server?",
    ),
  tooLong: (isSafe: boolean) =>
    unanswered(
      isSafe,
      "server_refused",
      "The server's answer is longer than the 256 MiB that this bridge takes for all that it " +
        "reads at once, or nested too deep.",
      "Ask for less at once.",
    ),
  refused: (status: number, detail?: string): Failure => ({
    code: "server_refused",
    message:
      `The server refused the request with status ${status}${toDetail(detail)}` +
      (isNotThere(status) ? " Check the path of the address; at Fettle it ends in /mcp." : ""),
    isSetup: isNotThere(status),
  }),
  /** A refusal by a JSON-RPC response, independent of HTTP. */
  declined: (detail?: string) =>
    failure("server_refused", `The server declined the request${toDetail(detail)}`),
  moved: (status: number, origin: string) =>
    failure(
      "server_refused",
      `The server points to ${quote(origin)} (status ${status}). Nothing was sent there: ` +
        "if you trust that address, start this bridge with it.",
    ),
  refusedAuthorization: () =>
    failure(
      "server_refused",
      "The server does not accept the Authorization header that this bridge was started with.",
    ),
  scopeMissing: (scope: string) =>
    failure(
      "server_refused",
      `The server refused the request: it needs the scope ${quote(scope)}, which was not granted.`,
    ),
  tooLarge: () =>
    failure(
      "too_large",
      "The request is larger than the server takes. Nothing was done; send less at once.",
    ),
  readOnly: (tool: string) =>
    failure(
      "read_only",
      `The tool ${quote(tool)} is not marked as one that only reads, ` +
        "and this bridge was started with --read-only. Nothing was done.",
    ),
  ending: (wasSent: boolean) =>
    wasSent
      ? failure("outcome_unknown", `The bridge ends before the answer. ${outcomeUnknown}`)
      : failure("no_answer", "The bridge ends before the answer. Nothing was done."),
} as const;

/** The server's reason for a refusal, if it uses a standard error format. */
export function findDetail(body: unknown): string | undefined {
  const { error, error_description } = toRecord(body);
  const detail = isRecord(error) ? error["message"] : error_description;
  return typeof detail === "string" && detail !== "" ? detail : undefined;
}

function toDetail(detail: string | undefined): string {
  return detail === undefined ? "." : `: ${quote(detail)}.`;
}

/** An internal error fails one request, not the bridge. */
export function toBridgeError(error: unknown, log: Log): BridgeError {
  if (error instanceof BridgeError) return error;
  log.error(`Unexpected: ${error instanceof Error ? String(error.stack) : String(error)}`);
  return new BridgeError(
    "outcome_unknown",
    "The bridge failed unexpectedly. Check whether the request was carried out. " +
      "Run `fettle-bridge doctor` for details.",
    { cause: error },
  );
}

export type RetryDecision = "retry" | "done" | Failure;
