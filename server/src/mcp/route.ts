import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { mcpPath } from "fettle-shared";
import { limitRefusals } from "../metrics.js";
import { findGrant, type Grant } from "../domain/oauth/grants.js";
import { createToolCallLog, type ToolCallLog } from "../domain/logs/tool-calls.js";
import type { Admission } from "../limits/caller-limit.js";
import { tooMany } from "../limits/too-many.js";
import type { CallContext } from "./call-tool.js";
import { dispatch } from "./dispatch.js";
import { answerPreflight, checkOrigin } from "./origins.js";
import { errorText, RpcError, rpcCodes, type RpcAnswer } from "./rpc.js";
import { singleValue } from "./standard-headers.js";

const maxBytes = 1_048_576;

/** What a person may send to a node in a minute: a message counts once, and once more for each 16 KiB. */
const sharesPerMinute = 1500;
const shareLength = 16_384;

/** How many values a body may have; 100 assets with all of their fields have a tenth. */
const maxValues = 25_000;
/** What one takes in memory, about. */
const bytesOfValue = 128;
const retryMs = 5000;
const [comma, bracket, brace] = Buffer.from(",[{") as unknown as [number, number, number];

/** The MCP endpoint: stateless, one JSON answer for each POST. */
export const mcpRoute: FastifyPluginAsync = async (app) => {
  const admit = app.createCallerLimit("calls");
  const toolCalls = createToolCallLog(app.systemDb, (error) => {
    app.log.error({ err: error }, "tool calls could not be logged");
  });
  app.addHook("onClose", () => toolCalls.close());
  acceptJsonOnly(app);
  app.addHook("onRequest", (request, reply) => checkOrigin(app.config, request, reply));

  const tell = createTeller(app);
  const requireToken = async (request: FastifyRequest, reply: FastifyReply) => {
    await app.requireToken(request, reply);
    if (request.grant === null) return;
    request.reader = request.grant.person;
    app.requireReading(request.reader);
  };
  const post = { onRequest: requireToken, bodyLimit: maxBytes };
  app.post(mcpPath, post, async (request, reply) => {
    const { grant } = request;
    if (grant === null) throw new Error("The token check let a request through without a grant.");
    const renew = createGrantRenewal(app, grant);
    const answer = await dispatch({
      body: request.body,
      headers: {
        version: singleValue(request.headers["mcp-protocol-version"]),
        method: singleValue(request.headers["mcp-method"]),
        name: nameHeader(request.headers["mcp-name"]),
      },
      openContext: async () => toContext(app, request, await renew(), toolCalls),
      admit: () => count(admit(grant.person)),
      hold: (bytes) => app.holdAnswer(reply, bytes),
      strictHeaders: app.config.strictHeaders,
      onTolerated: (what) => {
        tell(grant, what);
      },
    });
    return send(reply, answer);
  });
  addOtherRoutes(app);
};

async function count(admitting: Promise<Admission>): Promise<Admission> {
  const admission = await admitting;
  if (admission.kind !== "ok") limitRefusals.inc({ limit: `calls_${admission.reason}` });
  return admission;
}

/** There is no stream to open and no session to end, so only POST means anything. */
function addOtherRoutes(app: FastifyInstance): void {
  app.options(mcpPath, (_request, reply) => answerPreflight(reply));
  app.route({
    method: ["GET", "DELETE", "PUT", "PATCH"],
    url: mcpPath,
    handler: (_request, reply) =>
      reply
        .code(405)
        .header("allow", "POST")
        .type("application/json")
        .send(
          errorText(null, {
            code: rpcCodes.refused,
            message: "Method not allowed: send JSON-RPC messages with POST.",
          }),
        ),
  });
  app.all(`${mcpPath}/*`, (_request, reply) =>
    reply.code(404).send({ error: "not_found", message: "There is nothing at this address." }),
  );
}

/**
 * Wrong bodies are told in the shape of the protocol; every other error is the application's. Reading
 * JSON can take longer than serving it, so it is counted before, and done for callers alone.
 */
function acceptJsonOnly(app: FastifyInstance): void {
  const limitSent = app.createMinuteLimit("messages", sharesPerMinute, "messages", "node");
  app.removeAllContentTypeParsers();
  const read = async ({ grant, heldBody }: FastifyRequest, body: string): Promise<unknown> => {
    if (grant === null) return undefined;
    await limitSent(grant.person.userId, 1 + Math.floor(body.length / shareLength));
    const values = countValues(body);
    if (values > maxValues) {
      throw new RpcError(
        `Payload too large: a request has at most ${maxValues} values`,
        rpcCodes.refused,
        { status: 413 },
      );
    }
    if (heldBody?.hold(body.length + values * bytesOfValue) === false) {
      throw tooMany("bodies", retryMs);
    }
    try {
      return JSON.parse(body);
    } catch {
      throw new RpcError("Parse error: the body is not valid JSON", rpcCodes.parseError, {
        status: 400,
      });
    }
  };
  app.addContentTypeParser("application/json", { parseAs: "string" }, read);
  app.setErrorHandler((error, _request, reply) => {
    const wrongBody = error instanceof RpcError ? error : toBodyError(error);
    if (wrongBody === undefined) throw error;
    return send(reply, { status: wrongBody.status, body: errorText(null, wrongBody) });
  });
}

/** What could begin a value, in texts as well: an object takes many times the memory of its two characters. */
function countValues(body: string): number {
  let count = 0;
  for (let index = 0; index < body.length; index += 1) {
    const code = body.charCodeAt(index);
    if (code === comma || code === brace || code === bracket) count += 1;
  }
  return count;
}

function toBodyError(error: unknown): RpcError | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return new RpcError("Payload too large: a request has at most 1 MiB", rpcCodes.refused, {
      status: 413,
    });
  }
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new RpcError(
      "Unsupported media type: Content-Type must be application/json",
      rpcCodes.refused,
      { status: 415 },
    );
  }
  // The parser of JSON takes any depth, what walks the result does not.
  if (error instanceof RangeError && code === undefined) {
    return new RpcError("Invalid request: nested too deeply", rpcCodes.invalidRequest, {
      status: 400,
    });
  }
  return undefined;
}

function send(reply: FastifyReply, { status, body, headers = {} }: RpcAnswer): FastifyReply {
  void reply.code(status).headers(headers);
  if (body === undefined) return reply.send();
  return reply.type("application/json; charset=utf-8").send(body);
}

function toContext(
  app: FastifyInstance,
  request: FastifyRequest,
  grant: Grant,
  toolCalls: ToolCallLog,
): CallContext {
  return {
    db: request.db,
    reads: request.readsOf(grant.person),
    cursors: app.cursors,
    labelLinks: app.labelLinks,
    toolCalls: {
      record: (call, isRead) => {
        request.calledTools.push(call.tool);
        toolCalls.record(call, isRead);
      },
    },
    mails: app.mails,
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
    const present = await findGrant(app.systemDb, grant.tokenHash);
    if (present !== undefined) return present;
    const { message, headers } = app.invalidToken;
    throw new RpcError(message, rpcCodes.refused, { status: 401, headers });
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
