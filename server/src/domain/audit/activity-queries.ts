import type { Tx } from "../../db/database.js";
import type { ActivityEntry, ActivityType } from "../../db/entities/audit.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import type { CursorCodec, Position } from "../shared/cursors.js";
import { instantText, toPage } from "../shared/page-rows.js";
import { omit } from "../shared/omit.js";
import { anywhere, createParameters, type Parameters } from "../../db/parameters.js";

export interface ActivityListing {
  /** Any of these types. Defaults to all. */
  types?: readonly ActivityType[] | undefined;
  /** Actions by this person and actions affecting them. Admins only. */
  personId?: string | undefined;
  /** The first instant, and the first one after the last. */
  from?: Date | undefined;
  until?: Date | undefined;
  /** Each must be found in an entry. */
  words?: readonly SearchedWord[] | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface SearchedWord {
  text: string;
  /** The types whose sentences contain the word. */
  types: readonly ActivityType[];
}

export interface ActivityRow extends Omit<
  ActivityEntry,
  "organization_id" | "counted_until" | "sequence" | "hash"
> {
  /** Null for entries about an account itself. */
  organization_name: string | null;
}

export interface ActivityPage {
  entries: ActivityRow[];
  next_cursor?: string;
}

/**
 * Returns one page of the log, newest first. Owners and admins read the organization's log and its
 * members' account activity (such as sign-ins) while they were members. Other people read their own
 * actions in every organization they still belong to.
 */
export async function listActivity(
  db: Tx,
  viewer: { userId: string; caller: Caller | null },
  { limit, cursor, personId, ...search }: ActivityListing,
  cursors: CursorCodec,
): Promise<ActivityPage> {
  const { userId, caller } = viewer;
  const isAdmin = seesActivityOfAll(caller);
  const scope = {
    organizationId: isAdmin ? caller.organizationId : userId,
    list: "activity",
    sort: "-created_at",
    filters: { ...search, ...(isAdmin && { personId }) },
  };
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  const found = isAdmin
    ? await findOfOrganization(db, caller, { ...search, personId, after, limit })
    : await findOwn(db, userId, { ...search, after, limit });
  const { rows, last } = toPage(found, limit, (row) => omit(row, "at"));
  return {
    entries: rows,
    ...(last !== undefined && {
      next_cursor: cursors.encode(scope, { value: last.at, id: last.id }),
    }),
  };
}

/**
 * True for admins with the second factor that their organization may require. Others see only their
 * own actions.
 */
export function seesActivityOfAll(caller: Caller | null): caller is Caller {
  return caller !== null && isOrganizationAdmin(caller) && caller.lacksSecondFactor !== true;
}

interface Search extends Omit<ActivityListing, "cursor"> {
  after: Position | undefined;
}

/** Includes the time in cursor format. */
type FoundRow = ActivityRow & { at: string };

async function findOwn(db: Tx, userId: string, search: Search): Promise<FoundRow[]> {
  const parameters = createParameters(userId);
  const conditions = toConditions(search, parameters);
  const rows = `SELECT l.* FROM activity_log l
    WHERE l.user_id = $1 AND (l.organization_id IS NULL OR EXISTS (
      SELECT 1 FROM organization_members m WHERE m.organization_id = l.organization_id
        AND m.user_id = $1 AND m.removed_at IS NULL))
      AND ${conditions} ${newest(search, parameters)}`;
  return db.query(toStatement(rows), parameters.values);
}

/** Both parts are read from the end of an index, at most one page each. */
async function findOfOrganization(
  db: Tx,
  { organizationId }: Caller,
  search: Search,
): Promise<FoundRow[]> {
  const parameters = createParameters(organizationId);
  const conditions = toConditions(search, parameters);
  const { personId } = search;
  const person = personId === undefined ? undefined : parameters.add(personId);
  const concerned =
    person === undefined ? "TRUE" : `(l.user_id = ${person} OR l.details->>'user_id' = ${person})`;
  const end = newest(search, parameters);
  const rows = `SELECT * FROM (
      (SELECT l.* FROM activity_log l
       WHERE l.organization_id = $1 AND ${concerned} AND ${conditions} ${end})
      UNION ALL
      (SELECT l.* FROM organization_members m CROSS JOIN LATERAL (
         SELECT l.* FROM activity_log l
         WHERE l.user_id = m.user_id AND l.organization_id IS NULL
           AND l.created_at >= m.joined_at
           AND (m.removed_at IS NULL OR l.created_at <= m.removed_at) AND ${conditions} ${end}) l
       WHERE m.organization_id = $1 ${person === undefined ? "" : `AND m.user_id = ${person}`})
    ) l ${end}`;
  return db.query(toStatement(rows), parameters.values);
}

function newest({ limit }: Search, { add }: Parameters): string {
  return `ORDER BY l.created_at DESC, l.id DESC LIMIT ${add(limit + 1)}`;
}

function toConditions({ types, from, until, words = [], after }: Search, { add }: Parameters) {
  const conditions = [
    ...(types === undefined ? [] : [`l.type = ANY (${add(types)}::text[])`]),
    ...(from === undefined ? [] : [`l.created_at >= ${add(from)}::timestamptz`]),
    ...(until === undefined ? [] : [`l.created_at < ${add(until)}::timestamptz`]),
    ...words.map((word) => toWordCondition(word, add)),
    ...(after === undefined
      ? []
      : [`(l.created_at, l.id) < (${add(after.value)}::timestamptz, ${add(after.id)}::bigint)`]),
  ];
  return conditions.length === 0 ? "TRUE" : conditions.join(" AND ");
}

/** Ids among the details are never shown. */
function toWordCondition({ text, types }: SearchedWord, add: Parameters["add"]): string {
  const part = `(SELECT fettle_fold(${add(anywhere(text))}))`;
  return `(l.type = ANY (${add(types)}::text[]) OR fettle_fold(l.actor_name) LIKE ${part}
    OR l.ip_address LIKE ${part} OR EXISTS (SELECT FROM jsonb_each_text(l.details) d
      WHERE d.key NOT LIKE '%\\_id' AND fettle_fold(d.value) LIKE ${part}))`;
}

/** Adds the displayed details to the rows. They are looked up for one page only. */
function toStatement(rows: string): string {
  return `SELECT l.id, l.type, l.user_id, l.actor_name, l.details, o.name AS organization_name,
      l.ip_address, l.user_agent, l.created_at, ${instantText("l.created_at")} AS at
    FROM (${rows}) l
    LEFT JOIN organizations o ON o.id = l.organization_id
    ORDER BY l.created_at DESC, l.id DESC`;
}

const rowsOfFile = 500;

/** The entries of a listing in batches, for a file. */
export async function* readActivity(
  db: Tx,
  viewer: { userId: string; caller: Caller | null },
  listing: Omit<ActivityListing, "limit" | "cursor">,
  cursors: CursorCodec,
): AsyncGenerator<ActivityRow[]> {
  let cursor: string | undefined;
  do {
    const page = await listActivity(db, viewer, { ...listing, limit: rowsOfFile, cursor }, cursors);
    yield page.entries;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}
