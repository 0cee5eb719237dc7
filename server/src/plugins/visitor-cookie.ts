import type { FastifyReply, FastifyRequest, Session } from "fastify";
import { ageOf } from "../domain/shared/age.js";
import { createJsonCipher } from "../domain/shared/encryption.js";
import { omit } from "../domain/shared/omit.js";

/** Session data stored for anonymous visitors. */
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

/** Lifetime for an idle visitor, equal to a session's. */
const lifeMs = 12 * 60 * 60_000;

/** A cookie in use is renewed when it is older. */
const freshMs = 60 * 60_000;

/** Browsers drop a cookie whose name and value exceed 4,096 bytes together. */
const maxLength = 4000;

export interface VisitorCookie {
  /** Loads the visitor's data from the cookie into an anonymous request's session. */
  read: (request: FastifyRequest) => void;
  /** Sends the cookie again if its data changed or it must be renewed. */
  write: (request: FastifyRequest, reply: FastifyReply) => void;
}

/**
 * The session of an anonymous visitor, encrypted in the browser's cookie. It has the session
 * cookie's name, so visitors cost no storage and signing in replaces it.
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
   * Drops the least important data until the cookie is small enough: the oldest return URLs, then
   * the message, then everything except the form secret.
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

/** Uses one order, so equal data has equal text. */
function toData(session: VisitorData): VisitorData {
  const data = Object.fromEntries(kept.map((name) => [name, session[name]]));
  return JSON.parse(JSON.stringify(data)) as VisitorData;
}
