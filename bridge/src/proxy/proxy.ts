import type { HttpClient } from "../http/http-client.js";
import type { Log } from "../log.js";
import type { Settings } from "../settings.js";
import type { RequestSignIn } from "../sign-in/sign-in.js";
import type { TokenKeeper } from "../tokens/token-keeper.js";
import { createAccess } from "./access.js";
import { createDelivery } from "./delivery.js";
import { createEarlyAnswers } from "./early-answers.js";
import { failures } from "./failures.js";
import type { FirstAnswers } from "./first-answers.js";
import { createJobs } from "./jobs.js";
import { createJudge } from "./judge.js";
import { toListsChanged } from "./list-changed.js";
import type { Raw } from "./message.js";
import { type Pace, pause, toPace } from "./pace.js";
import { createRouter } from "./router.js";
import { createServerStream } from "./server-stream.js";
import { createSession } from "./session.js";
import { createSettling } from "./settling.js";
import { createSignIns } from "./sign-ins.js";
import { createStanding } from "./standing.js";
import type { ToolBook } from "./tools.js";
import { createUpstream } from "./upstream.js";

export interface ProxyParts {
  settings: Settings;
  log: Log;
  http: HttpClient;
  tokens: TokenKeeper;
  requestSignIn: RequestSignIn;
  output: { write: (frame: Raw) => boolean; drained: () => Promise<void> };
  tools: ToolBook;
  firstAnswers: FirstAnswers;
  pace?: Partial<Pace>;
}

/** Raw JSON-RPC frames between the host and the server's MCP address. */
export interface Proxy {
  /** Takes one line of the host. */
  receive: (line: Buffer) => void;
  /** Waits until the host has its answers; what is open after the time is answered for. */
  drain: (longestMs: number) => Promise<void>;
  /** Stops everything at once, and tells the server that the session is over. */
  close: () => Promise<void>;
}

const longestGoodbyeMs = 1000;

export function createProxy(parts: ProxyParts): Proxy {
  const { settings, tokens, output, firstAnswers } = parts;
  const pace = { ...toPace(settings.timeoutMs), ...parts.pace };
  const shared = { ...parts, pace };

  const jobs = createJobs(output);
  const early = createEarlyAnswers({ ...shared, jobs });
  const signIns = createSignIns(shared);
  const access = createAccess({ ...shared, signIns, onSignedOut: early.onSignedOut });
  const upstream = createUpstream({ ...shared, drained: output.drained });
  const take = (message: unknown, raw: Raw) => jobs.take(message, raw);
  const serverStream = createServerStream({ upstream, tokens, take, pace });
  const standing = createStanding({ jobs, timeoutMs: settings.timeoutMs });
  const session = createSession({
    ...{ upstream, serverStream, take, pace, silenceMs: settings.timeoutMs },
    onOpen: firstAnswers.rememberInitialize,
    onDeclined: firstAnswers.forgetInitialize,
    onReopened: ({ capabilities }) => {
      standing.sendAgain(deliver);
      for (const frame of toListsChanged(capabilities)) output.write(frame);
    },
  });
  const judge = createJudge({
    ...{ ...shared, jobs, session, access },
    onOpeningFailed: (job) => {
      early.onSignedOut(job, false);
    },
  });
  const deliver = createDelivery({
    ...{ ...shared, upstream, session, jobs, judge, access, standing },
  });
  const settling = createSettling({ ...shared, jobs, early });
  const receive = createRouter({ ...shared, jobs, early, settling, signIns, session, deliver });

  const drain = async (longestMs: number) => {
    const timer = new AbortController();
    await Promise.race([jobs.whenIdle(), pause(longestMs, timer.signal)]);
    timer.abort();
    for (const job of jobs.all()) jobs.fail(job, failures.ending(job.underway));
  };
  const close = async () => {
    for (const job of jobs.all()) job.abort.abort();
    signIns.close();
    await session.end(longestGoodbyeMs);
  };
  return { receive, drain, close };
}
