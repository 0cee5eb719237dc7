import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createToolCallLog, type ToolCallLog } from "../domain/audit/tool-calls.js";
import type { Grant } from "../domain/oauth/grants.js";
import { invalidToken, toChallenge } from "../oauth/bearer.js";
import { onResponseClosed } from "../traffic/answer-end.js";
import type { Admission } from "../traffic/caller-limit.js";
import { limitRefusals } from "../metrics.js";
import { createClientRequests, type ClientResponses } from "./client-requests.js";
import type { InputRequired } from "./confirmation.js";
import type { AnswerRequest } from "./methods.js";
import { RpcError, rpcCodes, type RpcId } from "./rpc.js";
import type { CallContext } from "./run.js";
import { firstWithForms } from "./server-info.js";
import { createSessionIds, type Session } from "./session-ids.js";
import { acceptsEvents, type AnswerStream } from "./stream.js";

/** The headers that mirror the request's body (revision 2026-07-28). */
interface MirrorHeaders {
  version: string | undefined;
  method: string | undefined;
  name: string | undefined;
}

/** Differs between the messages of a request. */
type MessageContext = Pick<CallContext, "report" | "person">;

/** An HTTP request to the endpoint, after its token was verified. */
export interface Exchange {
  body: unknown;
  headers: MirrorHeaders;
  answerRequest: AnswerRequest;
  /** Loads the caller again for each message. Throws if their access has ended. */
  openContext: (own: MessageContext) => Promise<CallContext>;
  /** Counts a message. Waits for a slot if the caller has too many concurrent ones. */
  admit: () => Promise<Admission>;
  /** Counts the response so far. Returns false if it is full. */
  hold: (bytes: number) => boolean;
  /** Reject the mistakes of some hosted clients instead of tolerating them. */
  strictHeaders: boolean;
  onTolerated: (mistake: string) => void;
  /** Undefined for a client that accepts no messages before the response. */
  stream: AnswerStream | undefined;
  /** From now on, the call ends without a change if its client disconnects. */
  endWithReader: () => void;
  /** True if a client with a handshake can be asked, according to its session. */
  canAsk: boolean;
  issueSession: (declaresForms: boolean) => string;
  ask: (asked: InputRequired) => Promise<ClientResponses>;
  takeResponse: (response: Record<string, unknown>) => Promise<void>;
  /** Makes the call cancellable by its request id. Returns a function to call at its end. */
  enter: (id: RpcId) => () => void;
  cancel: (id: unknown) => void;
}

export function createExchanges(
  app: FastifyInstance,
  answerRequest: AnswerRequest,
): (request: FastifyRequest, reply: FastifyReply, stream: AnswerStream) => Exchange {
  const admit = app.services.createCallerLimit("calls");
  const toolCalls = createToolCallLog(app.services.systemDb, (error) => {
    app.log.error({ err: error }, "tool calls could not be logged");
  });
  app.addHook("onClose", () => toolCalls.close());
  const [tell, inFlight] = [createTeller(app), createInFlight()];
  const clientRequests = createClientRequests(app.services.systemDb);
  const sessionIds = createSessionIds(app.services.config.secretKeys);
  app.addHook("preClose", async () => {
    clientRequests.close();
  });

  return (request, reply, stream) => {
    const { grant } = request;
    if (grant === null) throw new Error("The token check let a request through without a grant.");
    const { connectionId, person } = grant;
    const connection = { organizationId: person.organizationId, connectionId };
    const renew = createGrantRenewal(app, grant);
    const headers = readMirrorHeaders(request);
    const isStreamed = acceptsEvents(request.headers.accept);
    const session = sessionIds.read(singleValue(request.headers["mcp-session-id"]), connectionId);
    const began = performance.now();
    let asking: AbortController | undefined;
    return {
      body: request.body,
      headers,
      answerRequest,
      openContext: async (own) => toContext(app, request, await renew(), toolCalls, own),
      admit: async () => {
        const admission = await admit(await app.services.atHome(person));
        if (admission.kind !== "ok") limitRefusals.inc({ limit: `calls_${admission.reason}` });
        return admission;
      },
      hold: (bytes) => app.services.bufferResponse(reply, bytes),
      strictHeaders: app.services.config.strictHeaders,
      onTolerated: (mistake) => {
        tell(grant, mistake);
      },
      stream: isStreamed ? stream : undefined,
      canAsk: canAsk(session, isStreamed ? headers.version : undefined),
      issueSession: (declaresForms) => sessionIds.issue(connectionId, declaresForms),
      ask: async (asked) => {
        requireKnown(session);
        const { signal } = (asking ??= abortWhenOver(reply));
        return clientRequests.ask({ ...connection, person, stream, began, signal }, asked);
      },
      takeResponse: (response) => clientRequests.take(connection, response),
      endWithReader: () => {
        request.endsWithReader = true;
      },
      enter: (id) =>
        inFlight.enter(connectionId, id, () => {
          request.cancelChanges();
          asking?.abort();
        }),
      cancel: (id) => {
        inFlight.cancel(connectionId, id);
      },
    };
  };
}

/** Also true for unknown sessions, which may have forms: `requireKnown` then refuses the call. */
function canAsk(session: Session, streamedVersion = ""): boolean {
  return session === "unknown" || (session === "forms" && streamedVersion >= firstWithForms);
}

/** Clients start a new session after status 404 (MCP, Session Management). */
function requireKnown(session: Session): void {
  if (session !== "unknown") return;
  throw new RpcError(
    "Session not found. Nothing was changed. Send initialize again, then repeat the call.",
    rpcCodes.sessionNotFound,
    { status: 404 },
  );
}

function abortWhenOver(reply: FastifyReply): AbortController {
  const controller = new AbortController();
  onResponseClosed(reply, () => {
    controller.abort();
  });
  return controller;
}

function toContext(
  app: FastifyInstance,
  request: FastifyRequest,
  grant: Grant,
  toolCalls: ToolCallLog,
  { report, person }: MessageContext,
): CallContext {
  return {
    // Lazy: some messages need no database.
    get db() {
      return request.db;
    },
    get reads() {
      return request.readsOf(grant.person);
    },
    cursors: app.services.cursors,
    labelLinks: app.services.labelLinks,
    toolCalls: {
      record: (call, isRead) => {
        request.calledTools.push(call.tool);
        toolCalls.record(call, isRead);
      },
    },
    mails: app.services.mails,
    takeTurn: () => app.services.takeTurn(grant.person),
    log: {
      error: (details, message) => {
        request.log.error(details, message);
      },
    },
    caller: {
      ...grant.person,
      readsReplicas: app.services.replicas.areThere,
      source: "mcp",
      connectionId: grant.connectionId,
      client: { id: grant.clientId, name: grant.clientName },
      baseUrl: app.services.config.baseUrl,
    },
    scopes: grant.scopes,
    report,
    person,
    knowsResourceLinks:
      (singleValue(request.headers["mcp-protocol-version"]) ?? "") >= "2025-06-18",
  };
}

/** How long a request's token check is valid for its first message. */
const maxGrantAgeMs = 1000;

/**
 * Renews the grant per message. Later messages of a batch, and one with a slow body, are served
 * only if the access hasn't ended.
 */
function createGrantRenewal(app: FastifyInstance, grant: Grant): () => Promise<Grant> {
  let isFresh = true;
  return async () => {
    const isFirst = isFresh && performance.now() - grant.foundAt < maxGrantAgeMs;
    isFresh = false;
    if (isFirst) return grant;
    const present = await app.services.findKnownGrant(grant.tokenHash, grant.person.organizationId);
    if (present !== undefined) return present;
    const headers = toChallenge(app.services.config, true);
    throw new RpcError(invalidToken, rpcCodes.refused, { status: 401, headers });
  };
}

function readMirrorHeaders({ headers }: FastifyRequest): MirrorHeaders {
  return {
    version: singleValue(headers["mcp-protocol-version"]),
    method: singleValue(headers["mcp-method"]),
    name: nameHeader(headers["mcp-name"]),
  };
}

/** Only a single value is a name. Several would be ambiguous. */
function nameHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header?.trim();
}

/** Node joins repeated headers with commas. Some proxies send a header twice, with equal values. */
function singleValue(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const values = (Array.isArray(header) ? header.join(",") : header)
    .split(",")
    .map((value) => value.trim());
  const first = values[0] ?? "";
  return values.every((value) => value === first) ? first : values.join(", ");
}

const maxRemembered = 1000;

/** Logs a tolerated mistake once per app, not per request. */
function createTeller(app: FastifyInstance): (grant: Grant, mistake: string) => void {
  const told = new Set<string>();
  return ({ clientId, clientName }, mistake) => {
    if (told.has(clientId)) return;
    if (told.size >= maxRemembered) told.clear();
    told.add(clientId);
    app.log.warn({ clientId, clientName, tolerated: mistake }, "a client is tolerated");
  };
}

/** Pending requests of this node, by connection and client-issued id. */
function createInFlight() {
  const requests = new Map<string, Set<() => void>>();
  const keyOf = (connectionId: string, id: unknown) => `${connectionId} ${JSON.stringify(id)}`;
  return {
    /** Returns a function to call at the end of the request. */
    enter: (connectionId: string, id: RpcId, cancel: () => void): (() => void) => {
      const key = keyOf(connectionId, id);
      const same = requests.get(key) ?? new Set();
      requests.set(key, same.add(cancel));
      return () => {
        same.delete(cancel);
        if (same.size === 0) requests.delete(key);
      };
    },
    /**
     * Two windows of an app may share a connection and use equal request ids. Then neither is
     * cancelled.
     */
    cancel: (connectionId: string, id: unknown): void => {
      const [cancel, another] = requests.get(keyOf(connectionId, id)) ?? [];
      if (another === undefined) cancel?.();
    },
  };
}
