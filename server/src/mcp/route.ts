import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { mcpPath } from "fettle-shared";
import { rateLimited } from "../traffic/rate-limited.js";
import { createExchanges } from "./exchange.js";
import { answerRequest as ownAnswers, type AnswerRequest } from "./methods.js";
import { answerPreflight, createOriginCheck } from "./origins.js";
import { errorText, RpcError, rpcCodes, type RpcAnswer } from "./rpc.js";
import { serve } from "./server.js";
import { createAnswerStream, type OpenableStream } from "./stream.js";

const maxBytes = 1_048_576;

const shareLength = 16_384;

/** Maximum count of values in a body. 100 assets with all fields have a tenth. */
const maxValues = 25_000;
/** Approximate memory per value. */
const bytesOfValue = 128;
const retryMs = 5000;
const [comma, bracket, brace] = Buffer.from(",[{") as unknown as [number, number, number];

export interface McpOptions {
  /** Replaces the handler of our tools, resources and prompts. */
  answerRequest?: AnswerRequest;
}

/** The MCP endpoint: stateless, one response per POST, as JSON or at the end of a stream. */
export const mcpRoute: FastifyPluginAsync<McpOptions> = async (
  app,
  { answerRequest = ownAnswers },
) => {
  const count = createLengthLimit(app);
  acceptJsonOnly(app, count);
  app.addHook("onRequest", createOriginCheck(app.services.config));
  const openExchange = createExchanges(app, answerRequest);
  const requireToken = async (request: FastifyRequest, reply: FastifyReply) => {
    await app.services.requireToken(request, reply);
    if (request.grant === null) return;
    request.reader = request.grant.person;
    app.services.requireBackpressureRoom(request.reader);
    await count(request, 1 + toShares(announced(request)));
  };
  const post = { onRequest: requireToken, bodyLimit: maxBytes };
  app.post(mcpPath, post, (request, reply) => {
    const stream = createAnswerStream(reply);
    void finish(reply, stream, serve(openExchange(request, reply, stream)));
  });
  addOtherRoutes(app);
};

/** Only POST is supported, because there are no streams to open and no sessions to end. */
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
 * Invalid bodies get protocol errors. All other errors are the application's. Receiving and parsing
 * JSON can take longer than serving it, so bodies are counted before and parsed only for callers.
 */
function acceptJsonOnly(app: FastifyInstance, count: LengthLimit): void {
  app.removeAllContentTypeParsers();
  const read = async (request: FastifyRequest, body: string): Promise<unknown> => {
    const { grant, heldBody } = request;
    if (grant === null) return undefined;
    if (announced(request) === 0) await count(request, toShares(body.length));
    const values = countValues(body);
    if (values > maxValues) {
      throw new RpcError(
        `Payload too large: a request has at most ${maxValues} values`,
        rpcCodes.refused,
        { status: 413 },
      );
    }
    if (heldBody?.hold(body.length + values * bytesOfValue) === false) {
      throw rateLimited("bodies", retryMs);
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

type LengthLimit = ReturnType<typeof createLengthLimit>;

function createLengthLimit(app: FastifyInstance) {
  const ofPerson = app.services.createLimit("messages");
  const ofOrganization = app.services.createLimit("messages-of-organization");
  return async ({ grant }: FastifyRequest, shares: number): Promise<void> => {
    if (grant === null || shares === 0) return;
    await ofPerson(grant.person.userId, shares);
    await ofOrganization((await app.services.atHome(grant.person)).organizationId, shares);
  };
}

function toShares(length: number): number {
  return Math.floor(length / shareLength);
}

/** The announced body length in bytes, or 0 if unknown. */
function announced({ headers }: FastifyRequest): number {
  return Number(headers["content-length"] ?? 0);
}

/**
 * Counts commas and opening brackets, including those inside strings. A parsed object takes far
 * more memory than its two characters.
 */
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
  // The JSON parser accepts any depth, but recursive code on its result doesn't.
  if (error instanceof RangeError && code === undefined) {
    return new RpcError("Invalid request: nested too deeply", rpcCodes.invalidRequest, {
      status: 400,
    });
  }
  return undefined;
}

/**
 * A started stream ends as a stream, even after an unexpected error. Don't return the promise to
 * the framework: its listeners on the whole response are expensive.
 */
async function finish(
  reply: FastifyReply,
  stream: OpenableStream,
  answering: Promise<RpcAnswer>,
): Promise<void> {
  try {
    const answer = await answering;
    if (stream.hasBegun() && answer.body !== undefined) stream.end(answer.body);
    else send(reply, answer);
  } catch (error) {
    if (!stream.hasBegun()) {
      void reply.send(error);
      return;
    }
    reply.log.error({ err: error }, "a request failed after its answer had begun");
    stream.end(errorText(null, { code: rpcCodes.refused, message: "Something went wrong." }));
  }
}

function send(reply: FastifyReply, { status, body, headers = {} }: RpcAnswer): FastifyReply {
  void reply.code(status).headers(headers);
  if (body === undefined) return reply.send();
  void reply.type("application/json; charset=utf-8");
  return typeof body === "string" ? reply.send(body) : sendPieces(reply, body);
}

/**
 * Bypasses the framework, which would copy the chunks into one. Does the work of the hooks for
 * other responses.
 */
function sendPieces(reply: FastifyReply, pieces: readonly Buffer[]): FastifyReply {
  const { isStopping, enforceReadTimeout } = reply.server.services;
  const { raw, statusCode } = reply.hijack();
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (isStopping()) void reply.header("connection", "close");
  enforceReadTimeout(reply, length);
  raw.writeHead(
    statusCode,
    reply.header("content-length", length).getHeaders() as OutgoingHttpHeaders,
  );
  raw.cork();
  for (const piece of pieces) raw.write(piece);
  raw.end();
  return reply;
}
