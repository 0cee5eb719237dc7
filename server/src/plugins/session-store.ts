import type { SessionStore } from "@fastify/session";
import type { FastifyInstance, Session } from "fastify";
import { LruMap } from "toad-cache";
import type { SignInProof } from "../domain/shared/sign-in-proof.js";
import type { ProviderChecks } from "../domain/accounts/provider-client.js";
import type { ProviderSubject } from "../domain/accounts/provider-sign-ins.js";
import type { Challenge } from "../domain/accounts/challenges.js";
import type { TypedForm } from "../domain/accounts/typed-forms.js";
import type { SecondFactorLead } from "../web/layout/second-factor-lead.js";
import type { Origin } from "../domain/audit/record-activity.js";
import type { Reader } from "../domain/accounts/reader.js";
import { addSession, endSession, findSession, updateSession } from "../domain/accounts/sessions.js";
import { hashSecret } from "../domain/shared/secrets.js";
import { maxKeysInMemory } from "../traffic/counter-store.js";

/** A sentence about what just happened and where to see it, or why it did not. */
interface FlashMessage {
  text: string;
  to?: { href: string; label: string } | undefined;
  /** A success when left out; a warning where only a part was done. */
  kind?: "warning" | "refusal";
}

/** Somebody who was sent to an identity provider from this browser. */
interface SentToProvider {
  organizationId: string;
  issuer: string;
  checks: ProviderChecks;
  /** The kept address to go on to. */
  next: string;
  sentAt: number;
}

interface PendingSignIn {
  userId: string;
  /** Of the password that was right, in milliseconds; another one ends this. */
  passwordChangedAt?: number;
  /** What the identity provider said, where that was the first way. */
  subject?: ProviderSubject;
  startedAt: number;
}

declare module "fastify" {
  interface Session {
    /** Set by sign-in, always together with a new session id. */
    userId?: string;
    /** Set by sign-in: where it came from. It is stored once and never read back. */
    origin?: Origin | undefined;
    /** Set by sign-in with a password, and never read back: when it was chosen, in milliseconds. */
    passwordChangedAt?: number | undefined;
    /** Set by sign-in, and never read back: the log tells of it when the session is stored. */
    isSignIn?: boolean;
    /** Set by sign-in: how the person showed who they are. */
    signedInBy?: SignInProof;
    /** When the person last showed it again, for changes of how they sign in. */
    confirmedAt?: number;
    sentToProvider?: SentToProvider;
    /** Whose password was right, while a second factor is asked for: nobody is signed in by it. */
    pendingSignIn?: PendingSignIn;
    /** What a passkey is asked to sign. */
    challenge?: Challenge;
    /** What a second factor is needed for, and where to go on then. */
    secondFactorFor?: SecondFactorLead;
    /** What was typed into a form that its sender was led away from. */
    typed?: TypedForm;
    /** Set where a form came after the session had ended: its organization, empty for none. */
    signedOutForm?: string;
    /** Own addresses to go on to after sign-in, by the `next` value of the sign-in form. */
    returnTo?: Record<string, string>;
    /** What just happened, for the top of the next page. */
    message?: FlashMessage;
    /** The organization whose pages the person looks at, of several. */
    organizationId?: string;
    /** The hash of an invitation's link, for the way over the sign-in; never the link itself. */
    invitation?: string;
    /** Names the sign-up that was asked for in this browser and waits for its link. */
    signUp?: string;
    /** The secret behind the hidden tokens of this session's forms. */
    _csrf?: string;
    /** As the session was read with it; never stored. */
    person?: Reader;
    /** Whether the session came from the store; a new one is not in it yet. */
    stored?: boolean;
  }
}

/**
 * Sessions of signed-in people in the database, under hashes of their ids, so that ending one counts
 * on every node. What nobody in particular does is never stored.
 */
export function createSessionStore(app: FastifyInstance): SessionStore {
  const { systemDb: db, strangersDb, strangersTurns } = app.services;
  /** What could not be stored is not tried again with the page that says so. */
  const failed = new WeakSet<Session>();
  /** Whose a session is, which it stays: all of one person wait in one line. */
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
        // The plugin fills the cookie in from its own options.
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
          : // Sign-ins of one account wait for it together, on a connection of who is not known yet.
            strangersTurns(userId, () => addSession(strangersDb, sessionId, toStore));
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
