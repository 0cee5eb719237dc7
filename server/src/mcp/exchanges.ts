import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createToolCallLog, type ToolCallLog } from "../domain/audit/tool-calls.js";
import type { Grant } from "../domain/oauth/grants.js";
import { whenOver } from "../limits/answer-end.js";
import type { Admission } from "../limits/caller-limit.js";
import { limitRefusals } from "../metrics.js";
import { acceptsEvents, type AnswerStream } from "./answer-stream.js";
import type { CallContext } from "./call-tool.js";
import { createClientRequests } from "./client-requests.js";
import type { AnswerRequest, HttpCall, MessageContext } from "./http-call.js";
import { RpcError, rpcCodes, type RpcId } from "./rpc.js";
import { firstWithForms } from "./server-info.js";
import { createSessionIds, type Session } from "./session-ids.js";
import { singleValue, type MirrorHeaders } from "./standard-headers.js";

/** Requests under way on this node, by the connection they came by and the id that its client gave them. */
interface InFlight {
  /** Gives the function to call at its end. */
  enter: (connectionId: string, id: RpcId, cancel: () => void) => () => void;
  /**
   * Ends a request that its client cancels. Two windows of an app may use one connection and count their
   * requests alike, and when there are two nobody knows which was meant.
   */
  cancel: (connectionId: string, id: unknown) => void;
}

type OpenExchange = (
  request: FastifyRequest,
  reply: FastifyReply,
  stream: AnswerStream,
) => HttpCall;

/** What serves the HTTP requests to the endpoint, each with what it needs of the application. */
export function createExchanges(app: FastifyInstance, answerRequest: AnswerRequest): OpenExchange {
  const admit = app.createCallerLimit("calls");
  const toolCalls = createToolCallLog(app.systemDb, (error) => {
    app.log.error({ err: error }, "tool calls could not be logged");
  });
  app.addHook("onClose", () => toolCalls.close());
  const [tell, inFlight] = [createTeller(app), createInFlight()];
  const clientRequests = createClientRequests(app.systemDb);
  const sessionIds = createSessionIds(app.config.secretKeys);
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
      admit: async () => count(admit(await app.atHome(person))),
      hold: (bytes) => app.holdAnswer(reply, bytes),
      strictHeaders: app.config.strictHeaders,
      onTolerated: (what) => {
        tell(grant, what);
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

/** Also where the client may have declared forms: `requireKnown` then refuses the call. */
function canAsk(session: Session, streamedVersion = ""): boolean {
  return session === "unknown" || (session === "forms" && streamedVersion >= firstWithForms);
}

/** Clients begin a new session after status 404 (MCP, Session Management). */
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
  whenOver(reply, () => {
    controller.abort();
  });
  return controller;
}

async function count(admitting: Promise<Admission>): Promise<Admission> {
  const admission = await admitting;
  if (admission.kind !== "ok") limitRefusals.inc({ limit: `calls_${admission.reason}` });
  return admission;
}

function toContext(
  app: FastifyInstance,
  request: FastifyRequest,
  grant: Grant,
  toolCalls: ToolCallLog,
  { report, person }: MessageContext,
): CallContext {
  return {
    // Not opened for messages that need none.
    get db() {
      return request.db;
    },
    get reads() {
      return request.readsOf(grant.person);
    },
    cursors: app.cursors,
    labelLinks: app.labelLinks,
    toolCalls: {
      record: (call, isRead) => {
        request.calledTools.push(call.tool);
        toolCalls.record(call, isRead);
      },
    },
    mails: app.mails,
    takeTurn: () => app.takeTurn(grant.person),
    log: {
      error: (details, message) => {
        request.log.error(details, message);
      },
    },
    caller: {
      ...grant.person,
      readsReplicas: app.replicas.areThere,
      source: "mcp",
      connectionId: grant.connectionId,
      client: { id: grant.clientId, name: grant.clientName },
      baseUrl: app.config.baseUrl,
    },
    scopes: grant.scopes,
    report,
    person,
    knowsResourceLinks:
      (singleValue(request.headers["mcp-protocol-version"]) ?? "") >= "2025-06-18",
  };
}

/** How long the token check of a request counts for its first message. */
const maxGrantAgeMs = 1000;

/**
 * The grant of each message: later ones of a batch, and one whose body was slow to arrive, are served
 * only if the access has not ended meanwhile.
 */
function createGrantRenewal(app: FastifyInstance, grant: Grant): () => Promise<Grant> {
  let isFresh = true;
  return async () => {
    const isFirst = isFresh && performance.now() - grant.foundAt < maxGrantAgeMs;
    isFresh = false;
    if (isFirst) return grant;
    const present = await app.findKnownGrant(grant.tokenHash, grant.person.organizationId);
    if (present !== undefined) return present;
    const { message, headers } = app.invalidToken;
    throw new RpcError(message, rpcCodes.refused, { status: 401, headers });
  };
}

function readMirrorHeaders({ headers }: FastifyRequest): MirrorHeaders {
  return {
    version: singleValue(headers["mcp-protocol-version"]),
    method: singleValue(headers["mcp-method"]),
    name: nameHeader(headers["mcp-name"]),
  };
}

/** Only one value is a name; several would not say which. */
function nameHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header?.trim();
}

const maxRemembered = 1000;

/** Writes what was tolerated once for each app, not for each of its requests. */
function createTeller(app: FastifyInstance): (grant: Grant, what: string) => void {
  const told = new Set<string>();
  return ({ clientId, clientName }, what) => {
    if (told.has(clientId)) return;
    if (told.size >= maxRemembered) told.clear();
    told.add(clientId);
    app.log.warn({ clientId, clientName, tolerated: what }, "a client is tolerated");
  };
}

function createInFlight(): InFlight {
  const requests = new Map<string, Set<() => void>>();
  const keyOf = (connectionId: string, id: unknown) => `${connectionId} ${JSON.stringify(id)}`;
  return {
    enter: (connectionId, id, cancel) => {
      const key = keyOf(connectionId, id);
      const same = requests.get(key) ?? new Set();
      requests.set(key, same.add(cancel));
      return () => {
        same.delete(cancel);
        if (same.size === 0) requests.delete(key);
      };
    },
    cancel: (connectionId, id) => {
      const [cancel, another] = requests.get(keyOf(connectionId, id)) ?? [];
      if (another === undefined) cancel?.();
    },
  };
}
