import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../domain/access/caller.js";
import { createToken } from "../domain/shared/ids.js";
import { findOrganizationOfRecord } from "../domain/organizations/organization-of-record.js";
import {
  findOrganizationsOf,
  inOrganization,
  type Membership,
} from "../domain/organizations/organizations.js";
import { AppError } from "../errors.js";
import { isCopy } from "../web/layout/offline-cookie.js";
import { readCounts } from "../web/layout/reply.js";
import type { Person } from "./context.js";
import { changesSomething, requirePerson } from "./page-requests.js";

/**
 * Pre-handler for a person's pages: like `requirePerson`, and sets `request.caller` for members. A
 * form names its organization. A page belongs to the organization of its asset or task, or to the
 * one selected last. Roles are read again for every request.
 */
export async function readMember(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { services } = request.server;
  const sent = await requirePerson(request, reply);
  const { person } = request;
  if (person === null) return sent;
  const { signedInBy } = request.session;
  // For forms, they are read together with the session.
  if (!changesSomething(request)) {
    request.memberships = await services.lookUpForPerson(person.id, () =>
      findOrganizationsOf(services.systemDb, person.id, signedInBy),
    );
  }
  const membership = await choose(request, person);
  if (membership !== undefined) {
    const { id: userId } = person;
    request.reader = { organizationId: membership.id, userId };
    await services.noteOrganization(userId, membership.id);
    await services.enterOrganization(request.reader, reply);
    const caller = toCaller(person, membership, services.config.baseUrl);
    const { sessionId } = request.session;
    request.caller = { ...caller, sessionId, readsReplicas: services.replicas.areThere };
    if (!changesSomething(request) && request.routeOptions.config.content !== true) {
      await readCounts(request);
    }
  }
  return undefined;
}

/** Pre-handler for pages that need no account: like `readMember` for signed-in people. */
export async function readVisitor(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  return request.person === null ? undefined : readMember(request, reply);
}

/**
 * Pre-handler for an organization's pages: sets `request.caller`, or redirects to sign-in or `/`.
 */
export async function requireMember(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const sent = await readMember(request, reply);
  if (request.person !== null && request.caller === null) return reply.redirect("/", 303);
  request.onlyReads = request.method === "GET";
  return sent;
}

async function choose(request: FastifyRequest, person: Person): Promise<Membership | undefined> {
  const { services } = request.server;
  const { memberships, session } = request;
  const of = (id: string | undefined) => memberships.find((one) => one.id === id);
  const asked = readOrganization(request.body);
  if (asked !== undefined) {
    const found = of(asked);
    if (found === undefined) throw new AppError("forbidden", "form_of_other_organization");
    return found;
  }
  const chosen = of(session.organizationId) ?? memberships[0];
  if (memberships.length < 2 || request.method !== "GET") return chosen;
  const id = readId(request.params);
  const others = memberships.filter((one) => one !== chosen);
  const callers = others.map((one) => toCaller(person, one, services.config.baseUrl));
  const found =
    id === undefined
      ? undefined
      : await services.lookUpForPerson(person.id, () =>
          findOrganizationOfRecord(services.systemDb, id, callers),
        );
  if (found === undefined) return chosen;
  if (!isCopy(request)) session.organizationId = found;
  return of(found);
}

function toCaller(person: Person, membership: Membership, baseUrl: string): Caller {
  return {
    userId: person.id,
    userName: person.name,
    userEmail: person.email,
    ...inOrganization(membership),
    source: "web",
    requestId: `req_${createToken()}`,
    baseUrl,
  };
}

/** A repeated field becomes "", which matches none of the person's organizations. */
function readOrganization(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("_organization" in body)) return undefined;
  return typeof body._organization === "string" ? body._organization : "";
}

function readId(parameters: unknown): string | undefined {
  if (typeof parameters !== "object" || parameters === null || !("id" in parameters)) {
    return undefined;
  }
  return typeof parameters.id === "string" ? parameters.id : undefined;
}
