import type { HistorySource } from "../../db/entities/history.js";
import type { WorkspaceRole, OrganizationRole } from "../../db/entities/people.js";
import { omit } from "../shared/omit.js";

export type { OrganizationRole } from "../../db/entities/people.js";
export type { WorkspaceRole } from "../../db/entities/people.js";

/** The app that acts for the person, when it is not the person in a browser. */
export interface CallerClient {
  id: string;
  name: string;
}

/**
 * Who does something, in which organization, and by which way. Read anew for every request, so a
 * changed role counts at once. Every function of the domain that touches an organization's data
 * takes it as its second parameter and keeps to `organizationId`.
 */
export interface Caller {
  userId: string;
  userName: string;
  userEmail: string;
  organizationId: string;
  organizationName: string;
  organizationRole: OrganizationRole;
  /** IANA name; calendar facts (due, warranty, "today") are meant in it. */
  timeZone: string;
  /** ISO 4217, the organization's default. */
  currency: string;
  /** Of the membership: counts up when what the person may do becomes less, and with the role above. */
  accessEpoch: number;
  /** The role in a workspace that was read last; it holds while `accessEpoch` does. */
  knownRole?: { place: string; role: WorkspaceRole };
  /** Which version of the membership's row was read: another one after each of the person's changes. */
  memberVersion?: string;
  /** Whether replicas are read, so that each change has to make another version of that row. */
  readsReplicas?: boolean;
  /** Whether the organization asks for a second factor of its owners and admins, and this one has none. */
  lacksSecondFactor?: boolean;
  /** The same before an app deletes permanently; of apps alone. */
  lacksItForDestructive?: boolean;
  /** Whether what an app deletes is confirmed on our page; of apps alone. */
  deletionNeedsPerson?: boolean;
  source: Exclude<HistorySource, "public_scan">;
  client?: CallerClient;
  /** Of the client to the person in this organization. */
  connectionId?: string;
  /** Of the browser that the person is signed in with; of what is done on pages alone. */
  sessionId?: string;
  /** Groups everything that one request changed, and joins history to the tool-call log. */
  requestId: string;
  /** The import or undo that the changes belong to. */
  changeSetId?: string;
  /** Set while sample data is replayed; see `clock.ts`. */
  at?: Date;
  /** Public address without a trailing slash, for the `url` of answers. */
  baseUrl: string;
  /** Set by the first commit of the request: "nothing was changed" is no longer true then. */
  hasCommitted?: boolean;
}

/** In whose name a change in an organization is written: a caller's, or that of who runs the server. */
export interface Actor extends Pick<
  Caller,
  "organizationId" | "userName" | "client" | "requestId" | "changeSetId"
> {
  userId: string | null;
  source: HistorySource;
}

/** Of what a person has approved on a page: it goes on when they sign out, until their access ends. */
export function withoutSession(caller: Caller): Caller {
  return omit(caller, "sessionId");
}

/** Of whom a change has counted the `access_epoch` up, and what it is now. */
export interface CountedEpoch {
  user_id: string;
  access_epoch: number;
}

/** The caller's own change goes on, but not where somebody else has counted meanwhile: that ends it as well. */
export function goOnWith(caller: Caller, counted: readonly CountedEpoch[]): void {
  const own = counted.find(({ user_id }) => user_id === caller.userId);
  if (own?.access_epoch === caller.accessEpoch + 1) caller.accessEpoch = own.access_epoch;
}

/** Owners and admins of the organization act as admin in every workspace. */
export function isOrganizationAdmin(caller: Caller): boolean {
  return caller.organizationRole !== "member";
}
