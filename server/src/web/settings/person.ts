import type { FastifyRequest } from "fastify";
import type { AccountPerson } from "../../domain/accounts/accounts.js";
import type { LayoutProps } from "../layout/reply.js";

/** Who is signed in, on a page behind `readMember` or `requirePerson`. */
export function personOf({ person }: FastifyRequest): AccountPerson {
  if (person === null) throw new Error("This page needs app.requirePerson before it.");
  return person;
}

/** For forms about the person alone: they hold in whatever organization the person is by then. */
export function ofPerson(frame: LayoutProps): LayoutProps {
  return { ...frame, organization: undefined };
}

/** Times are told as in the organization looked at; without one there is nothing to go by but UTC. */
export function timeZoneOf({ caller }: FastifyRequest): string {
  return caller?.timeZone ?? "UTC";
}
