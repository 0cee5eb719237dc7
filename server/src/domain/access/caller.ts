import type { HistorySource } from "../../db/entities/history.js";
import type { WorkspaceRole, OrganizationRole } from "../../db/entities/people.js";
import { omit } from "../shared/omit.js";

export type { OrganizationRole } from "../../db/entities/people.js";
export type { WorkspaceRole } from "../../db/entities/people.js";

export interface CallerClient {
  id: string;
  name: string;
}

/**
 * The person, organization and channel behind a request. It is read again for each request, so a
 * role change applies at once. Every domain function that touches an organization's data takes it
 * as its second parameter and filters by `organizationId`.
 */
export interface Caller {
  userId: string;
  userName: string;
  userEmail: string;
  organizationId: string;
  organizationName: string;
  organizationRole: OrganizationRole;
  /** IANA name. Due dates, warranties and "today" are computed in this time zone. */
  timeZone: string;
  currency: string;
  /**
   * Epoch of the membership. It increases when the person loses permissions or their role changes.
   */
  accessEpoch: number;
  /** The last workspace role that was read. Valid while `accessEpoch` is unchanged. */
  knownRole?: { place: string; role: WorkspaceRole };
  /**
   * Version of the membership row that was read. Each change by the person creates a new version.
   */
  memberVersion?: string;
  /**
   * True if replicas are read. Each change must then create a new version of the membership row.
   */
  readsReplicas?: boolean;
  /**
   * True if the organization requires a second factor for owners and admins and this caller has
   * none.
   */
  lacksSecondFactor?: boolean;
  /**
   * True if apps need the person's second factor to delete permanently and the person has none.
   * Apps only.
   */
  lacksItForDestructive?: boolean;
  /** True if deletions by an app must be confirmed on our page. Apps only. */
  deletionNeedsPerson?: boolean;
  /** "public_scan" only through a link to a task. */
  source: HistorySource;
  /** The app, or the contractor who uses a link. */
  client?: CallerClient;
  /** The client's connection to the person in this organization. */
  connectionId?: string;
  /** The link of a contractor. The caller is the person who shared the task. */
  taskLinkId?: string;
  /** The person's browser session. Set only for actions on pages. */
  sessionId?: string;
  /** Groups all changes of one request and joins history to the tool-call log. */
  requestId: string;
  changeSetId?: string;
  /** Set while sample data is replayed. See `clock.ts`. */
  at?: Date;
  /** Public URL without a trailing slash, for the `url` field in responses. */
  baseUrl: string;
  /** Set by the request's first commit. After it, errors can't claim that nothing was changed. */
  hasCommitted?: boolean;
}

/** The recorded author of a change in an organization: a caller or the server's operator. */
export interface Actor extends Pick<
  Caller,
  "organizationId" | "userName" | "client" | "requestId" | "changeSetId"
> {
  userId: string | null;
  source: HistorySource;
}

/**
 * For changes that a person approved on a page. They continue after sign-out, until the person
 * loses access.
 */
export function withoutSession(caller: Caller): Caller {
  return omit(caller, "sessionId");
}

/** A person whose `access_epoch` a change increased, with the new value. */
export interface CountedEpoch {
  user_id: string;
  access_epoch: number;
}

/**
 * Lets the caller's own change continue after it increased their epoch. If someone else increased
 * the epoch too, the change ends.
 */
export function withRefreshedAccess(caller: Caller, counted: readonly CountedEpoch[]): void {
  const own = counted.find(({ user_id }) => user_id === caller.userId);
  if (own?.access_epoch === caller.accessEpoch + 1) caller.accessEpoch = own.access_epoch;
}

/** Owners and admins of the organization act as admin in every workspace. */
export function isOrganizationAdmin(caller: Caller): boolean {
  return caller.organizationRole !== "member";
}
