import type { SessionStore } from "@fastify/session";
import type { FastifyInstance, Session } from "fastify";
import { LruMap } from "toad-cache";
import type { SignInProof } from "../domain/shared/sign-in-proof.js";
import type { ProviderChecks } from "../domain/accounts/provider-client.js";
import type { ProviderSubject } from "../domain/accounts/provider-sign-ins.js";
import type { Challenge } from "../domain/accounts/challenges.js";
import type { TypedForm } from "../domain/accounts/typed-forms.js";
import type { SecondFactorLead } from "../web/layout/mfa-redirect.js";
import type { Origin } from "../domain/audit/record-activity.js";
import type { Reader } from "../domain/accounts/reader.js";
import { addSession, endSession, findSession, updateSession } from "../domain/accounts/sessions.js";
import { hashSecret } from "../domain/shared/secrets.js";
import { maxKeysInMemory } from "../traffic/counter-store.js";

/** A message about the last action: its result and a link, or the reason for a failure. */
interface FlashMessage {
  /** The result. Further lines are warnings. */
  text: string;
  /** With `isNext`, the link is the next step and looks like a button. */
  to?: { href: string; label: string; isNext?: boolean } | undefined;
  /** Defaults to success. A warning means partial success. */
  kind?: "warning" | "refusal";
  /** The change set that the message offers to undo. */
  undo?: string | undefined;
}

/** A redirect from this browser to an identity provider. */
interface SentToProvider {
  organizationId: string;
  issuer: string;
  checks: ProviderChecks;
  /** The stored URL to continue to. */
  next: string;
  sentAt: number;
}

interface PendingSignIn {
  userId: string;
  /**
   * When the correct password was set, in milliseconds. A new password ends the pending sign-in.
   */
  passwordChangedAt?: number;
  /** The identity provider's response, if it was the first factor. */
  subject?: ProviderSubject;
  startedAt: number;
}

declare module "fastify" {
  interface Session {
    /** Set by sign-in, always together with a new session id. */
    userId?: string;
    /** Set by sign-in: its origin. Stored once and never read back. */
    origin?: Origin | undefined;
    /**
     * Set by sign-in with a password, and never read back: when the password was set, in
     * milliseconds.
     */
    passwordChangedAt?: number | undefined;
    /** Set by sign-in, and never read back. Storing the session writes the activity log entry. */
    isSignIn?: boolean;
    /** Set by sign-in: how the person authenticated. */
    signedInBy?: SignInProof;
    /** When the person last reauthenticated to change sign-in settings. */
    confirmedAt?: number;
    sentToProvider?: SentToProvider;
    /** The person with the correct password, while a second factor is pending. Signs no one in. */
    pendingSignIn?: PendingSignIn;
    /** The challenge that a passkey must sign. */
    challenge?: Challenge;
    /** Why a second factor is needed, and where to continue afterwards. */
    secondFactorFor?: SecondFactorLead;
    /** The values of a form that its sender was redirected away from. */
    typed?: TypedForm;
    /** Set if a form arrived after the session ended: its organization, empty for none. */
    signedOutForm?: string;
    /** Own URLs to continue to after sign-in, by the form's `next` value. */
    returnTo?: Record<string, string>;
    message?: FlashMessage;
    /** The selected organization, if the person has several. */
    organizationId?: string;
    /** Hash of an invitation's link, to keep it during sign-in. Never the link. */
    invitation?: string;
    /** The sign-up that was requested in this browser and waits for its link. */
    signUp?: string;
    /** The secret for the hidden tokens of this session's forms. */
    _csrf?: string;
    /** Read together with the session. Never stored. */
    person?: Reader;
    /** True if the session came from the store. A new session isn't in the store yet. */
    stored?: boolean;
  }
}

/**
 * Stores signed-in people's sessions in the database, under hashes of their ids. Ending a session
 * applies to every node. Anonymous sessions are never stored.
 */
export function createSessionStore(app: FastifyInstance): SessionStore {
  const { systemDb: db, anonymousDb, anonymousQueue } = app.services;
  /** A session that couldn't be stored isn't stored again with the error page. */
  const failed = new WeakSet<Session>();
  /** Person by session, which never changes. All sessions of a person share a queue. */
  const people = new LruMap<string>(maxKeysInMemory);
  return {
    get(sessionId, callback) {
      const key = hashSecret(sessionId).toString("base64url");
      const looking = app.services.lookUpForPerson(people.get(key) ?? key, () =>
        findSession(db, sessionId),
      );
      looking.then((found) => {
        if (found === undefined) {
          callback(null, null);
          return;
        }
        const { person, data } = found;
        people.set(key, person.id);
        const session = { ...data, stored: true, userId: person.id, person };
        // The plugin adds the cookie from its own options.
        callback(null, session as unknown as Session);
      }, callback);
    },
    set(sessionId, session, callback) {
      const { stored, userId, origin, passwordChangedAt, isSignIn, ...rest } = session;
      delete rest.person;
      if (userId === undefined || failed.has(session)) {
        callback();
        return;
      }
      const data = { ...rest, cookie: undefined };
      const toStore = { user_id: userId, data, origin, passwordChangedAt, isSignIn };
      const storing =
        stored === true
          ? updateSession(db, sessionId, toStore)
          : // Sign-ins to one account queue together, on a connection for anonymous requests.
            anonymousQueue(userId, () => addSession(anonymousDb, sessionId, toStore));
      storing.then(
        () => {
          callback();
        },
        (error: unknown) => {
          failed.add(session);
          callback(error);
        },
      );
    },
    destroy(sessionId, callback) {
      endSession(db, sessionId).then(() => {
        callback();
      }, callback);
    },
  };
}
