import type { DataSource } from "typeorm";
import fp from "fastify-plugin";
import type { Config } from "../config.js";
import type { Caller } from "../domain/access/caller.js";
import { createCursorCodec, type CursorCodec } from "../domain/lists/cursors.js";
import { createLabelLinkSigner, type LabelLinkSigner } from "../domain/labels/label-links.js";
import type { Grant } from "../domain/oauth/grants.js";
import type { Membership } from "../domain/organizations/organizations.js";
import { createMailCipher, type MailCipher } from "../domain/mail/mail-cipher.js";

/** The signed-in person of a browser request. */
export interface Person {
  id: string;
  name: string;
  email: string;
}

declare module "fastify" {
  interface FastifyInstance {
    config: Config;
    /** Borrowed: whoever created the app opens and closes it. */
    db: DataSource;
    mails: MailCipher;
    cursors: CursorCodec;
    labelLinks: LabelLinkSigner;
    /** Pre-handler of bearer routes: 401 with a challenge, or `request.grant` is set. */
    requireToken: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
    /** Pre-handler of pages: sends to sign-in and back, or `request.person` is set. */
    requirePerson: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
    /** The same for pages of an organization: sets `request.caller` too, or sends to `/`. */
    requireMember: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
    /** For pages of the person: like `requirePerson`, with `request.caller` for who is a member. */
    readMember: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  }
  interface FastifyRequest {
    /** Set behind `requireToken`. */
    grant: Grant | null;
    /** The signed-in person, or null; read anew for every browser request. */
    person: Person | null;
    /** Set behind `requireMember`: the person in the organization that the page is about. */
    caller: Caller | null;
    /** Set behind `requireMember`: all the organizations that the person is in. */
    memberships: readonly Membership[];
  }
}

/** Hands the configuration and the database to every route. */
export const contextPlugin = fp<{ config: Config; db: DataSource }>(async (app, { config, db }) => {
  app.decorate("config", config);
  app.decorate("db", db);
  app.decorate("mails", createMailCipher(config.secretKeys, config.smtpUrl !== undefined));
  app.decorate("cursors", createCursorCodec(config.secretKeys));
  app.decorate("labelLinks", createLabelLinkSigner(config.secretKeys));
  app.decorateRequest("grant", null);
  app.decorateRequest("person", null);
  app.decorateRequest("caller", null);
  app.decorateRequest("memberships");
});
