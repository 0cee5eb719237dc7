import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { FastifyPluginAsync } from "fastify";
import { isKnown } from "./entity-tags.js";

/** Built by `bridge/bundle.mjs`. The path is valid from src and from dist. */
const bridgeFile = new URL("../../../bridge/dist/fettle-bridge.tgz", import.meta.url);
const bridgePath = "/downloads/fettle-bridge.tgz";

interface BridgeSettings {
  baseUrl: string;
  bridgePackage: string | undefined;
}

/**
 * The npx arguments that run the bridge: this server's copy, which npm 12 must be allowed to fetch,
 * or the published package.
 */
export function bridgeArguments({ baseUrl, bridgePackage }: BridgeSettings): string[] {
  return bridgePackage === undefined
    ? ["--yes", "--allow-remote=root", baseUrl + bridgePath]
    : ["--yes", bridgePackage];
}

/** Needs no session, because the programs that download these files have none. */
export const downloadRoutes: FastifyPluginAsync = async (app) => {
  const read = async () => {
    const body = await readFile(bridgeFile);
    return { body, etag: `"${createHash("sha256").update(body).digest("base64url")}"` };
  };
  let bridge: Awaited<ReturnType<typeof read>> | undefined;

  app.get(bridgePath, { config: { file: true } }, async (request, reply) => {
    bridge ??= await read().catch(() => undefined);
    if (bridge === undefined) {
      reply.callNotFound();
      return reply;
    }
    const { body, etag } = bridge;
    void reply.headers({
      etag,
      "cache-control": "public, no-cache",
      "x-content-type-options": "nosniff",
    });
    if (isKnown(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply.type("application/gzip").send(body);
  });
};
