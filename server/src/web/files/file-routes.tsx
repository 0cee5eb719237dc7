import { Readable } from "node:stream";
import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { readContent } from "../../domain/files/file-contents.js";
import { findFile, readThumbnail, type FoundFile } from "../../domain/files/find-files.js";
import { isViewable } from "../../domain/files/file-types.js";
import { callerOf } from "../layout/reply.js";
import { streamWhileAllowed } from "../lists/stream-while-authorized.js";
import { requireMember } from "../../plugins/members.js";

interface FileRequest {
  Params: { id: string };
}

/**
 * Lists show thumbnails repeatedly, so browsers cache them. Large pictures are requested each time.
 */
const thumbnailSeconds = 3600;

const content = { config: { content: true } };

/** `/files/:id`: the file's content, for everyone who sees its asset or task. */
export const fileRoutes: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);

  app.get<FileRequest>("/files/:id", content, async (request, reply) => {
    const db = request.db;
    const file = await findFile(db, callerOf(request), request.params.id);
    setHeaders(reply, file);
    void reply.header("cache-control", "private, no-cache").header("etag", `"${file.id}"`);
    if (request.headers["if-none-match"] === `"${file.id}"`) return reply.code(304).send();
    const bytes = await readContent(db, app.services.files.objects, file);
    void reply.header("content-length", file.size).type(toContentType(file));
    return reply.send(Readable.from(streamWhileAllowed(request, bytes), { objectMode: false }));
  });

  app.get<FileRequest>("/files/:id/thumbnail", content, async (request, reply) => {
    const db = request.db;
    const file = await findFile(db, callerOf(request), request.params.id);
    const thumbnail = await readThumbnail(db, file);
    setHeaders(reply, file);
    return (
      reply
        .header("cache-control", ["private", `max-age=${thumbnailSeconds}`].join(", "))
        // The cached response must not serve the next person who signs in to this browser.
        .header("vary", "cookie")
        .type("image/webp")
        .send(thumbnail)
    );
  });
};

function setHeaders(reply: FastifyReply, { name, type }: FoundFile): void {
  const ascii = name.replace(/[^ -~]/g, "_").replace(/["\\%]/g, "_");
  const disposition = `${isViewable(type) ? "inline" : "attachment"}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
  void reply.headers({
    "content-disposition": disposition,
    "x-content-type-options": "nosniff",
    // Chromium opens no PDF in a sandbox.
    "content-security-policy":
      type === "application/pdf" ? "frame-ancestors 'none'" : "default-src 'none'; sandbox",
  });
}

function toContentType({ type }: FoundFile): string {
  return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
}
