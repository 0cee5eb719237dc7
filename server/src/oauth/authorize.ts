import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { createAuthorizationRequest } from "../domain/oauth/authorizations.js";
import { isDocumentAddress } from "../domain/oauth/client-documents.js";
import { findClient, type RegisteredClient } from "../domain/oauth/clients.js";
import { hasRedirectUri, withParameters } from "../domain/oauth/redirect-uris.js";
import { toScopes } from "../domain/oauth/scopes.js";
import { createClientDocuments, type ClientDocuments } from "./client-documents.js";
import { toDescription } from "./errors.js";
import type { PlainText } from "../language/texts.js";
import { sendDeadEnd } from "./dead-end-page.js";
import { hasNul, toParameters, type Parameters } from "./parameters.js";
import { ownerOf } from "./request-owner.js";
import { isResource, resourceOf } from "./resource.js";
import { requirePerson } from "../plugins/page-requests.js";
import { routeLimit } from "../traffic/bounds.js";

/**
 * A request with a verified client and redirect URI. Only such a request may be answered by
 * redirect.
 */
interface Addressed {
  client: RegisteredClient;
  redirectUri: string;
  redirectUriGiven: boolean;
}

/**
 * The authorization endpoint (OAuth 2.1 §4.1.1): validates and stores the request, then redirects
 * to the consent page.
 */
export const authorizeEndpoint: FastifyPluginAsync = async (app) => {
  const documents = createClientDocuments(app);
  app.get(
    "/oauth/authorize",
    {
      exposeHeadRoute: false,
      config: { rateLimit: routeLimit("authorize") },
    },
    async (request, reply) => {
      const query = /\?(.*)$/s.exec(request.url)?.[1] ?? "";
      const parameters = toParameters(query);
      const addressed = await findAddressee(app, documents, parameters, request.person);
      if (typeof addressed === "string") return sendDeadEnd(reply, addressed);
      // Sign-in comes before any redirect to an app. Registration is open to everyone and must not
      // make the server an open redirector (OAuth 2.1 §7.12.2).
      if (request.person === null || addressed === undefined) {
        return requirePerson(request, reply);
      }

      const { values } = parameters;
      const state = parameters.repeated.has("state") ? undefined : values.get("state");
      const problem = findProblem(parameters, resourceOf(app.services.config));
      if (problem !== undefined) {
        return sendBack(app, reply, addressed.redirectUri, {
          error: problem.code,
          error_description: toDescription(problem.description),
          state,
        });
      }
      const asked = toScopes(values.get("scope"));
      const id = await createAuthorizationRequest(
        app.services.systemDb,
        {
          client_id: addressed.client.id,
          redirect_uri: addressed.redirectUri,
          redirect_uri_given: addressed.redirectUriGiven,
          state: state ?? null,
          code_challenge: values.get("code_challenge") ?? "",
          resource: resourceOf(app.services.config),
          requested_scopes: asked.length > 0 ? asked : addressed.client.scopes,
        },
        ownerOf(request, request.person),
      );
      return reply.redirect(`/oauth/consent/${id}`, 303);
    },
  );
};

/** Redirects to the app with a new GET (RFC 9700 §4.12) and the issuer of RFC 9207. */
export async function sendBack(
  app: FastifyInstance,
  reply: FastifyReply,
  redirectUri: string,
  parameters: Record<string, string | undefined>,
): Promise<FastifyReply> {
  const uri = withParameters(redirectUri, { ...parameters, iss: app.services.config.baseUrl });
  return reply.redirect(uri, 303);
}

/**
 * Returns the client and redirect URI, or a sentence for the person if they aren't certain. Returns
 * undefined if the person must sign in first.
 */
async function findAddressee(
  app: FastifyInstance,
  documents: ClientDocuments,
  { values, repeated }: Parameters,
  person: FastifyRequest["person"],
): Promise<Addressed | PlainText | undefined> {
  if (repeated.has("client_id") || repeated.has("redirect_uri")) {
    return "The app sent contradictory details about itself.";
  }
  const id = values.get("client_id");
  if (id === undefined) return "The app didn't identify itself.";
  const url = documents.toUrl(id);
  if (url === undefined) {
    const client = await findRegistered(app, id);
    return client === undefined
      ? "This server doesn't know the app that sent you here."
      : toAddressed(client, values);
  }
  // Anonymous requests must not make this server open connections.
  if (person === null) return undefined;
  const client = await documents.find(url, person.id);
  return client === undefined
    ? "This server couldn't get details of the app that sent you here."
    : toAddressed(client, values);
}

function toAddressed(
  client: RegisteredClient,
  values: Parameters["values"],
): Addressed | PlainText {
  const asked = values.get("redirect_uri");
  const [first, ...others] = client.redirect_uris;
  if (asked === undefined) {
    if (first === undefined || others.length > 0) return "The app didn't say where to return to.";
    return { client, redirectUri: first, redirectUriGiven: false };
  }
  if (!hasRedirectUri(client, asked)) {
    return "The app asked to return to an address it hasn't registered.";
  }
  return { client, redirectUri: asked, redirectUriGiven: true };
}

/** A metadata document that isn't allowed identifies no client, even if it was read before. */
async function findRegistered(
  app: FastifyInstance,
  id: string,
): Promise<RegisteredClient | undefined> {
  if (id.includes("\0") || isDocumentAddress(id)) return undefined;
  return findClient(app.services.anonymousDb, id);
}

interface Problem {
  code: string;
  description: string;
}

type Check = (parameters: Parameters, resource: string) => Problem | undefined;

/** In the order of reporting. Every problem is answered by redirect (RFC 6749 §4.1.2.1). */
const checks: readonly Check[] = [
  checkForm,
  checkRequestObjects,
  checkResponse,
  checkPrompt,
  checkChallenge,
  checkResource,
];

function findProblem(parameters: Parameters, resource: string): Problem | undefined {
  for (const check of checks) {
    const problem = check(parameters, resource);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkForm({ values, repeated }: Parameters): Problem | undefined {
  if (repeated.has("resource")) {
    return { code: "invalid_target", description: "Exactly one resource can be named." };
  }
  if (repeated.size > 0) {
    return { code: "invalid_request", description: "A parameter is there more than once." };
  }
  if (hasNul(values)) {
    return { code: "invalid_request", description: "A parameter contains NUL." };
  }
  return undefined;
}

/** RFC 9101 isn't supported. Nothing is fetched. */
function checkRequestObjects({ values }: Parameters): Problem | undefined {
  if (values.has("request")) {
    return { code: "request_not_supported", description: "Request objects are not supported." };
  }
  if (values.has("request_uri")) {
    return { code: "request_uri_not_supported", description: "request_uri is not supported." };
  }
  return undefined;
}

function checkResponse({ values }: Parameters): Problem | undefined {
  const type = values.get("response_type");
  if (type === undefined) {
    return { code: "invalid_request", description: "The parameter response_type is missing." };
  }
  if (type !== "code") {
    return { code: "unsupported_response_type", description: "response_type must be code." };
  }
  if ((values.get("response_mode") ?? "query") !== "query") {
    return { code: "invalid_request", description: "response_mode must be query." };
  }
  return undefined;
}

/** The person approves every authorization, so a page is always needed. */
function checkPrompt({ values }: Parameters): Problem | undefined {
  if (values.get("prompt")?.split(" ").includes("none") !== true) return undefined;
  return { code: "interaction_required", description: "The person has to approve on a page." };
}

/** RFC 7636, with S256 only (OAuth 2.1 §7.5). */
function checkChallenge({ values }: Parameters): Problem | undefined {
  const challenge = values.get("code_challenge");
  if (challenge === undefined) {
    return { code: "invalid_request", description: "The parameter code_challenge is missing." };
  }
  if (values.get("code_challenge_method") !== "S256") {
    return { code: "invalid_request", description: "code_challenge_method must be S256." };
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return {
      code: "invalid_request",
      description: "code_challenge must be 43 base64url characters.",
    };
  }
  return undefined;
}

/** RFC 8707 §2. Defaults to the only resource. */
function checkResource({ values }: Parameters, resource: string): Problem | undefined {
  const asked = values.get("resource");
  if (asked === undefined || isResource(asked, resource)) return undefined;
  return { code: "invalid_target", description: "Tokens are issued for the MCP address only." };
}
