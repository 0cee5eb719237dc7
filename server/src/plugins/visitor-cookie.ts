import type { FastifyReply, FastifyRequest, Session } from "fastify";
import { ageOf } from "../domain/shared/age.js";
import { createJsonCipher } from "../domain/shared/encryption.js";
import { omit } from "../domain/shared/omit.js";

/** What is kept of somebody who is not signed in. */
const kept = [
  "_csrf",
  "returnTo",
  "message",
  "invitation",
  "signedOutForm",
  "signUp",
  "pendingSignIn",
  "challenge",
  "sentToProvider",
] as const;
type VisitorData = Pick<Session, (typeof kept)[number]>;

interface Visitor {
  savedAt: number;
  data: VisitorData;
}

/** The longest a visitor who does nothing is remembered, as long as a session. */
const lifeMs = 12 * 60 * 60_000;

/** A cookie in use is written anew when it is older. */
const freshMs = 60 * 60_000;

/** Browsers drop a cookie whose name and value have more than 4,096 bytes together. */
const maxLength = 4000;

export interface VisitorCookie {
  /** Gives a request without a signed-in person what its browser keeps. */
  read: (request: FastifyRequest) => void;
  /** Hands it back to the browser where it has changed, or has to live on. */
  write: (request: FastifyRequest, reply: FastifyReply) => void;
}

/**
 * The session of nobody in particular: encrypted in the browser's own cookie, under the name of the
 * session cookie, so that visitors cost no storage and signing in replaces it.
 */
export function createVisitorCookie(name: string, secretKeys: readonly string[]): VisitorCookie {
  const cipher = createJsonCipher(secretKeys, "fettle visitor cookie");
  const known = new WeakMap<FastifyRequest, Visitor>();

  function find(request: FastifyRequest): Visitor | undefined {
    const text = request.cookies[name] ?? "";
    const visitor = cipher.decrypt(Buffer.from(text, "base64url")) as Visitor | undefined;
    return visitor !== undefined && ageOf(visitor.savedAt) < lifeMs ? visitor : undefined;
  }

  /**
   * Gives up what matters least until a browser takes it: the oldest ways on, then the message, and at
   * last all but what forms need.
   */
  function encode(data: VisitorData): string {
    const text = cipher.encrypt({ savedAt: Date.now(), data }).toString("base64url");
    if (text.length <= maxLength) return text;
    const [oldest, ...younger] = Object.entries(data.returnTo ?? {});
    if (oldest !== undefined) return encode({ ...data, returnTo: Object.fromEntries(younger) });
    if (data.message !== undefined) return encode(omit(data, "returnTo", "message"));
    return encode(data._csrf === undefined ? {} : { _csrf: data._csrf });
  }

  return {
    read(request) {
      const visitor = find(request);
      if (visitor === undefined) return;
      known.set(request, visitor);
      Object.assign(request.session, visitor.data);
    },
    write(request, reply) {
      const data = toData(request.session);
      if (Object.keys(data).length === 0) {
        if (request.cookies[name] !== undefined) void reply.clearCookie(name, { path: "/" });
        return;
      }
      const before = known.get(request);
      const isFresh = before !== undefined && ageOf(before.savedAt) < freshMs;
      if (isFresh && JSON.stringify(toData(before.data)) === JSON.stringify(data)) return;
      void reply.setCookie(name, encode(data), {
        path: "/",
        httpOnly: true,
        secure: true,
        sameSite: "lax",
        maxAge: lifeMs / 1000,
      });
    },
  };
}

/** In one order, so that equal data is equal text. */
function toData(session: VisitorData): VisitorData {
  const data = Object.fromEntries(kept.map((name) => [name, session[name]]));
  return JSON.parse(JSON.stringify(data)) as VisitorData;
}
