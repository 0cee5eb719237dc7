import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { Caller } from "../domain/access/caller.js";
import { createToken } from "../domain/shared/ids.js";
import { findOrganizationOfRecord } from "../domain/organizations/organization-of-record.js";
import {
  findOrganizationsOf,
  inOrganization,
  type Membership,
} from "../domain/organizations/organizations.js";
import { AppError } from "../errors.js";
import { readOpenReports } from "../web/layout/reply.js";
import type { Person } from "./context.js";
import { changesSomething } from "./page-requests.js";

/**
 * `app.requireMember`: who acts on the pages of an organization. A form says for which organization
 * it was made; a page is of the organization that its asset or task is in, or else of the one chosen
 * last. Roles are read anew for every request. `app.readMember` lets those through who are in none,
 * and `app.readVisitor` those too who are not signed in.
 */
export const membersPlugin = fp(async (app) => {
  app.decorateRequest("openReports");
  app.decorate("readMember", async (request, reply) => {
    const sent = await app.requirePerson(request, reply);
    const { person } = request;
    if (person === null) return sent;
    const { signedInBy } = request.session;
    // With a form they are read together with its session.
    if (!changesSomething(request)) {
      request.memberships = await app.lookUpForPerson(person.id, () =>
        findOrganizationsOf(app.systemDb, person.id, signedInBy),
      );
    }
    const membership = await choose(request, person);
    if (membership !== undefined) {
      const { id: userId } = person;
      request.reader = { organizationId: membership.id, userId };
      await app.noteOrganization(userId, membership.id);
      await app.enterOrganization(request.reader, reply);
      const caller = toCaller(person, membership, app.config.baseUrl);
      const { sessionId } = request.session;
      request.caller = { ...caller, sessionId, readsReplicas: app.replicas.areThere };
      if (!changesSomething(request) && request.routeOptions.config.content !== true) {
        await readOpenReports(request);
      }
    }
    return undefined;
  });

  app.decorate("readVisitor", async (request, reply) =>
    request.person === null ? undefined : app.readMember(request, reply),
  );

  app.decorate("requireMember", async (request, reply) => {
    const sent = await app.readMember(request, reply);
    if (request.person !== null && request.caller === null) return reply.redirect("/", 303);
    request.onlyReads = request.method === "GET";
    return sent;
  });

  async function choose(request: FastifyRequest, person: Person): Promise<Membership | undefined> {
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
    const callers = others.map((one) => toCaller(person, one, app.config.baseUrl));
    const found =
      id === undefined
        ? undefined
        : await app.lookUpForPerson(person.id, () =>
            findOrganizationOfRecord(app.systemDb, id, callers),
          );
    if (found === undefined) return chosen;
    session.organizationId = found;
    return of(found);
  }
});

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

/** One that came several times is none that the person is in. */
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
