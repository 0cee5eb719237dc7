import type { TooOften } from "./too-many.js";

/** How often something may happen: `most` in a window of `seconds` that begins with the first. */
export interface Window {
  /** Whose count it is. */
  of: string;
  most: number;
  seconds: number;
  /** How the refusal is worded. */
  refusal: TooOften;
  /** Counted by each node alone, because it guards that node's processor. */
  ofNode?: true;
  what: string;
}

const minute = 60;
const hour = 3600;

type Count = (of: string, most: number, seconds: number, what: string) => Window;
const refusedAs =
  (refusal: TooOften): Count =>
  (of, most, seconds, what) => ({ of, most, seconds, refusal, what });
const guesses = refusedAs("sign_ins");
const signIns = refusedAs("signed_in");
const openings = refusedAs("openings");
const messages = refusedAs("messages");
const network = refusedAs("network");
const ofAddress = (most: number, seconds: number, what: string) =>
  network("address", most, seconds, what);
const inOrganization = "person in an organization";

/**
 * Counts in windows. Those of an address belong to a route (`routeLimit`), the others are counted where
 * their key is known (`createLimit`). server/LIMITS.md is made of these tables.
 */
export const windows = {
  authorize: ofAddress(120, minute, "starts of a connection"),
  token: ofAddress(120, minute, "token requests"),
  revoke: ofAddress(60, minute, "revocations of tokens"),
  register: ofAddress(60, minute, "registrations of apps"),
  "calendar-of-address": ofAddress(300, minute, "calendar reads: many people share an address"),
  "labels-of-address": ofAddress(300, minute, "label images: a person may open a hundred at once"),
  "list-export": ofAddress(30, minute, "lists as files"),
  "log-export": ofAddress(30, minute, "activity logs as files"),
  "organization-export": ofAddress(10, hour, "whole organizations as files"),
  import: ofAddress(20, minute, "uploads to import"),
  "undo-app": ofAddress(60, hour, "undos of an app: each leaves a change set"),
  round: ofAddress(120, hour, "rounds: each may leave a row for every asset"),
  report: ofAddress(10, minute, "problem reports"),
  unsubscribe: ofAddress(60, minute, "links that end emails"),
  profile: ofAddress(120, hour, "changes of the own account: each is logged"),
  "calendar-address": ofAddress(120, hour, "calendar addresses made: each is logged"),
  "webhook-test": ofAddress(10, minute, "tests of webhooks"),
  "provider-test": ofAddress(20, 5 * minute, "tests of an identity provider"),
  "domain-check": ofAddress(30, 5 * minute, "checks of a domain"),
  "provider-sign-in": ofAddress(60, 5 * minute, "sign-ins by an identity provider"),
  "account-form": ofAddress(20, 5 * minute, "forms of set-up, invitations and passwords"),
  "passkey-sign-in": ofAddress(60, 5 * minute, "sign-ins by passkey"),
  strangers: ofAddress(300, minute, "pages while signed out"),
  "bad-tokens": ofAddress(300, minute, "calls with a bad token"),
  "sheets-of-address": ofAddress(20, minute, "sheets of labels"),
  // Those refused within a pause count as well.
  "sign-ins": guesses("address", 10, 5 * minute, "failed sign-ins"),
  // Then a pause that doubles up to a minute; everywhere but where the owner signed in within a week.
  "sign-ins-here": guesses("account and address", 5, hour, "failed sign-ins before pauses"),
  "sign-ins-everywhere": guesses("account", 100, hour, "failed sign-ins before pauses"),
  // Each leaves a session and a line in the activity log.
  "signed-in-here": signIns("account and address", 600, hour, "sign-ins"),
  "signed-in": signIns("account", 3000, hour, "sign-ins"),
  registrations: network("everyone together", 600, minute, "registrations of apps"),
  // One app must not use up what an address has that many share.
  "tokens-of-client": network("app and address", 60, minute, "token requests"),
  // Each leaves a connection and lines in the activity log.
  "approvals-of-person": messages("person", 600, hour, "apps connected"),
  // Each leaves rows for months. One app must not use up what the person's others need.
  "refreshes-of-person": messages("person", 600, hour, "tokens exchanged or refreshed"),
  "refreshes-of-connection": messages("connection", 300, hour, "tokens exchanged or refreshed"),
  "documents-of-person": openings("person", 30, minute, "documents of apps that are read"),
  // Its people must not use up what a host, or everyone, has.
  "documents-of-organization": openings("organization", 30, minute, "the same"),
  "documents-of-host": openings("host of the document", 60, minute, "the same"),
  documents: openings("everyone together", 300, minute, "the same"),
  // Each may leave a line in the activity log.
  "settings-of-person": messages("person", 600, hour, "forms of settings"),
  "reports-of-label": messages("label", 6, minute, "problem reports"),
  calendar: openings(inOrganization, 20, minute, "calendar reads"),
  calendars: openings("organization", 120, minute, "calendar reads"),
  // The holders of a link must not use up what its person may, nor a person what the organization may.
  "sheets-of-link": openings("link", 5, minute, "sheets of labels"),
  "sheets-of-person": openings(inOrganization, 8, minute, "sheets of labels"),
  sheets: openings("organization", 20, minute, "sheets of labels"),
  // One of the messages counts once more for each 16 KiB.
  messages: { ...messages("person", 1500, minute, "messages of apps"), ofNode: true },
  "messages-of-organization": { ...messages("organization", 1250, 10, "the same"), ofNode: true },
} satisfies Record<string, Window>;

export type WindowName = keyof typeof windows;

/** The bound of a route, for `config.rateLimit`. */
export function routeLimit(name: WindowName): { max: number; timeWindow: number } {
  const { most, seconds } = windows[name];
  return { max: most, timeWindow: seconds * 1000 };
}

/** How often on average, and how many at once after a pause. */
export interface BucketRate {
  perSecond: number;
  burst: number;
  /** How many refusals in a row are answered in full, before they are only shortly. */
  refusalsInFull: number;
}

/** Counts in buckets of tokens. Calls and pages are counted apart. */
export const buckets = {
  person: { perSecond: 10, burst: 100, refusalsInFull: 100 },
  organization: { perSecond: 50, burst: 500, refusalsInFull: 500 },
  /** Far more than a building full of browsers asks for; calls with a token are not counted by it. */
  address: { perSecond: 100, burst: 1000, refusalsInFull: 1 },
} as const satisfies Record<string, BucketRate>;

export interface SlotBound {
  most: number;
  /** How long one more waits, before it is refused. */
  waitMs: number;
  what: string;
}

/** How much goes on at the same time on a node. */
export const slots = {
  callsOfPerson: { most: 4, waitMs: 5000, what: "calls of a person; pages are counted apart" },
  requestsOfPerson: { most: 6, waitMs: 5000, what: "calls and pages of a person" },
  requestsOfOrganization: { most: 8, waitMs: 5000, what: "calls and pages of an organization" },
  // Of people with more than `fewOfPerson` under way, while others are there; each then rests as long.
  requestsOfBusy: { most: 1, waitMs: 5000, what: "requests of busy people of an organization" },
  changesOfSeveral: {
    most: 1,
    waitMs: 5000,
    what: "changes of several records, of an organization",
  },
  statements: { most: 16, waitMs: 5000, what: "statements and transactions of all" },
  planned: { most: 6, waitMs: 5000, what: "statements that are planned for their values" },
  lookUps: { most: 4, waitMs: 10_000, what: "look-ups of tokens and sessions" },
  strangersChanges: { most: 3, waitMs: Infinity, what: "changes by people who are not signed in" },
  piecesOfFiles: {
    most: 4,
    waitMs: Infinity,
    what: "pieces of files that are made while they are sent",
  },
  jobs: { most: 2, waitMs: Infinity, what: "steps of imports and undos" },
  heldJobs: { most: 4, waitMs: Infinity, what: "jobs that keep what they read in memory" },
  tables: { most: 1, waitMs: Infinity, what: "uploaded tables that are read" },
  passwords: { most: 2, waitMs: 10_000, what: "passwords that are hashed" },
  pictures: {
    most: 2,
    waitMs: 20_000,
    what: "pictures that are read: one takes up to some hundred megabytes",
  },
  sheets: { most: 1, waitMs: 60_000, what: "sheets of labels that are drawn" },
  questionsOfPerson: {
    most: 4,
    waitMs: 0,
    what: "calls of a person that wait for an answer of theirs",
  },
  questionsOfOrganization: { most: 20, waitMs: 0, what: "the same of an organization" },
  requestsOfConnection: { most: 8, waitMs: 0, what: "requests of a connection; one more ends it" },
} as const satisfies Record<string, SlotBound>;

/** How many requests a person may have under way that are no burden to other organizations. */
export const fewOfPerson = 2;

/** Bytes that a node keeps, see `createMemoryBudget`. */
export interface MemoryBound {
  person: number;
  organization: number;
  process: number;
  what: string;
}

const mebibyte = 1_048_576;
/** Of the list at the end of a ZIP file. */
export const maxListBytes = 64 * mebibyte;

export const memory = {
  unread: {
    person: 4 * mebibyte,
    organization: 16 * mebibyte,
    process: 64 * mebibyte,
    what: "answers that wait to be read",
  },
  bodies: {
    person: 4 * mebibyte,
    organization: 16 * mebibyte,
    process: 32 * mebibyte,
    what: "bodies that arrive, until their request is over; strangers of an address are a person",
  },
  uploads: {
    person: 64 * mebibyte,
    organization: 96 * mebibyte,
    process: 192 * mebibyte,
    what: "uploaded files, on the disk until their request is over",
  },
  archives: {
    person: Infinity,
    organization: maxListBytes,
    process: 2 * maxListBytes,
    what: "ZIP files that wait to be read",
  },
} as const satisfies Record<string, MemoryBound>;
