import type { TooOften } from "./rate-limited.js";

/** A rate limit: at most `most` in a window of `seconds`, which begins with the first event. */
export interface Window {
  /** The counted subject, such as an address or a person. */
  of: string;
  most: number;
  seconds: number;
  refusal: TooOften;
  /** Counted per node, because the limit protects the node's processor. */
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
const inOrganization = "person and organization";

/**
 * Counts in windows. Those of an address belong to a route (`routeLimit`), the others are counted where
 * their key is known (`createLimit`). docs/operate/limits.md is made of these tables.
 */
export const windows = {
  authorize: ofAddress(120, minute, "apps starting to connect"),
  token: ofAddress(120, minute, "token requests"),
  revoke: ofAddress(60, minute, "token revocations"),
  register: ofAddress(60, minute, "app registrations"),
  "calendar-of-address": ofAddress(300, minute, "calendar reads"),
  "labels-of-address": ofAddress(300, minute, "label images"),
  "list-export": ofAddress(30, minute, "exports of lists"),
  "log-export": ofAddress(30, minute, "exports of the activity log"),
  "log-verification": ofAddress(10, minute, "verifications of the activity log"),
  "organization-export": ofAddress(10, hour, "exports of an organization"),
  import: ofAddress(20, minute, "import uploads"),
  "undo-app": ofAddress(60, hour, "undoing an app's changes"),
  round: ofAddress(120, hour, "rounds started"),
  report: ofAddress(10, minute, "problem reports"),
  job: ofAddress(30, minute, "changes through contractor links"),
  "task-link": ofAddress(60, hour, "new contractor links"),
  unsubscribe: ofAddress(60, minute, "unsubscribe links"),
  profile: ofAddress(120, hour, "account changes"),
  "calendar-address": ofAddress(120, hour, "new calendar addresses"),
  "webhook-test": ofAddress(10, minute, "webhook tests"),
  "provider-test": ofAddress(20, 5 * minute, "identity provider tests"),
  "domain-check": ofAddress(30, 5 * minute, "domain checks"),
  "provider-sign-in": ofAddress(60, 5 * minute, "single sign-ons"),
  "account-form": ofAddress(20, 5 * minute, "setup, invitation and password forms"),
  "passkey-sign-in": ofAddress(60, 5 * minute, "passkey sign-ins"),
  strangers: ofAddress(300, minute, "pages while signed out"),
  "bad-tokens": ofAddress(300, minute, "calls with a bad token"),
  "sheets-of-address": ofAddress(20, minute, "label sheets"),
  // Attempts refused during a pause count too.
  "sign-ins": guesses("address", 10, 5 * minute, "failed sign-ins"),
  // Afterwards a pause that doubles up to a minute. The account-wide pause exempts addresses where
  // the owner signed in within a week.
  "sign-ins-here": guesses("account and address", 5, hour, "failed sign-ins before pauses"),
  "sign-ins-everywhere": guesses("account", 100, hour, "failed sign-ins before pauses"),
  // Each stores a session and an activity log entry.
  "signed-in-here": signIns("account and address", 600, hour, "sign-ins"),
  "signed-in": signIns("account", 3000, hour, "sign-ins"),
  registrations: network("server", 600, minute, "app registrations"),
  // One app must not use up the limit of an address that many share.
  "tokens-of-client": network("app and address", 60, minute, "token requests"),
  // Each stores a connection and activity log entries.
  "approvals-of-person": messages("person", 600, hour, "apps connected"),
  // Each stores rows for months. One app must not use up the limit of the person's other apps.
  "refreshes-of-person": messages("person", 600, hour, "tokens issued"),
  "refreshes-of-connection": messages("connection", 300, hour, "tokens issued"),
  "documents-of-person": openings("person", 30, minute, "client metadata documents read"),
  // An organization's people must not use up the limit of a host or of everyone.
  "documents-of-organization": openings(
    "organization",
    30,
    minute,
    "client metadata documents read",
  ),
  "documents-of-host": openings("document host", 60, minute, "client metadata documents read"),
  documents: openings("server", 300, minute, "client metadata documents read"),
  // Each may store an activity log entry.
  "settings-of-person": messages("person", 600, hour, "settings forms"),
  "reports-of-label": messages("label", 6, minute, "problem reports"),
  "changes-of-job": messages("link", 60, hour, "changes through contractor links"),
  calendar: openings(inOrganization, 20, minute, "calendar reads"),
  calendars: openings("organization", 120, minute, "calendar reads"),
  // A link's holders must not use up its person's limit, nor a person the organization's.
  "sheets-of-link": openings("link", 5, minute, "label sheets"),
  "sheets-of-person": openings(inOrganization, 8, minute, "label sheets"),
  sheets: openings("organization", 20, minute, "label sheets"),
  // A message counts once more for each 16 KiB.
  messages: { ...messages("person", 1500, minute, "app messages"), ofNode: true },
  "messages-of-organization": {
    ...messages("organization", 1250, 10, "app messages"),
    ofNode: true,
  },
} satisfies Record<string, Window>;

export type WindowName = keyof typeof windows;

export function routeLimit(name: WindowName): { max: number; timeWindow: number } {
  const { most, seconds } = windows[name];
  return { max: most, timeWindow: seconds * 1000 };
}

/** Average rate, and burst size after a pause. */
export interface BucketRate {
  perSecond: number;
  burst: number;
  /** Number of consecutive refusals with a full response. Later ones get a short response. */
  refusalsInFull: number;
}

/** Token buckets. Calls and pages count separately. */
export const buckets = {
  person: { perSecond: 10, burst: 100, refusalsInFull: 100 },
  organization: { perSecond: 50, burst: 500, refusalsInFull: 500 },
  /** Far more than a building full of browsers needs. Calls with a token don't count. */
  address: { perSecond: 100, burst: 1000, refusalsInFull: 1 },
} as const satisfies Record<string, BucketRate>;

export interface SlotBound {
  most: number;
  /** How long a request waits for a slot before it is refused. */
  waitMs: number;
  what: string;
}

/** Concurrency limits of a node. */
export const slots = {
  callsOfPerson: { most: 4, waitMs: 5000, what: "calls of a person" },
  requestsOfPerson: { most: 6, waitMs: 5000, what: "calls and pages of a person" },
  requestsOfOrganization: { most: 8, waitMs: 5000, what: "calls and pages of an organization" },
  // For people with more than `fewOfPerson` running requests while other organizations are active.
  // The slot then rests for as long as it was held.
  requestsOfBusy: { most: 1, waitMs: 5000, what: "requests of an organization's busy people" },
  changesOfSeveral: {
    most: 1,
    waitMs: 5000,
    what: "changes of several records, per organization",
  },
  statements: { most: 16, waitMs: 5000, what: "database statements" },
  planned: { most: 6, waitMs: 5000, what: "filtered lists and statistics" },
  lookUps: { most: 4, waitMs: 10_000, what: "token and session look-ups" },
  anonymousChanges: { most: 3, waitMs: Infinity, what: "changes by people who are signed out" },
  piecesOfFiles: {
    most: 4,
    waitMs: Infinity,
    what: "parts of exports being generated",
  },
  jobs: { most: 2, waitMs: Infinity, what: "import and undo steps" },
  heldJobs: { most: 4, waitMs: Infinity, what: "jobs that keep data in memory" },
  tables: { most: 1, waitMs: Infinity, what: "uploaded tables being read" },
  passwords: { most: 2, waitMs: 10_000, what: "passwords being hashed" },
  pictures: {
    most: 2,
    waitMs: 20_000,
    what: "pictures being resized",
  },
  sheets: { most: 1, waitMs: 60_000, what: "label sheets being drawn" },
  questionsOfPerson: {
    most: 4,
    waitMs: 0,
    what: "calls waiting for a person's answer",
  },
  questionsOfOrganization: {
    most: 20,
    waitMs: 0,
    what: "calls waiting for answers in an organization",
  },
  requestsOfConnection: { most: 8, waitMs: 0, what: "requests of a connection (one more ends it)" },
} as const satisfies Record<string, SlotBound>;

/** Number of a person's concurrent requests that don't burden other organizations. */
export const fewOfPerson = 2;

/** Bytes in a node's memory or on its disk. See `createMemoryBudget`. */
export interface MemoryBound {
  person: number;
  organization: number;
  process: number;
  what: string;
}

const mebibyte = 1_048_576;
/** Size of the list at the end of a ZIP file. */
export const maxListBytes = 64 * mebibyte;

export const memory = {
  unread: {
    person: 4 * mebibyte,
    organization: 16 * mebibyte,
    process: 64 * mebibyte,
    what: "responses waiting to be read",
  },
  bodies: {
    person: 4 * mebibyte,
    organization: 16 * mebibyte,
    process: 32 * mebibyte,
    what: "request bodies",
  },
  uploads: {
    person: 64 * mebibyte,
    organization: 96 * mebibyte,
    process: 192 * mebibyte,
    what: "uploaded files, on disk",
  },
  archives: {
    person: Infinity,
    organization: maxListBytes,
    process: 2 * maxListBytes,
    what: "ZIP files waiting to be read",
  },
} as const satisfies Record<string, MemoryBound>;
