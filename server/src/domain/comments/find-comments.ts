import type { Tx } from "../../db/database.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import {
  isVisibleAssetSql,
  isVisibleTaskSql,
  visibleAssetSql,
  visibleTaskSql,
} from "../access/visibility.js";
import { maxToldFiles, tellFile } from "../assets/asset-files.js";
import { findFilesOfComments, type ShownFile } from "../files/find-files.js";
import type { FileSubject } from "../files/file-subjects.js";
import { contractorNameSql } from "../shared/contractor-name.js";
import { toTimestamp } from "../shared/dates.js";
import { idKindOf } from "../shared/ids.js";
import { omit } from "../shared/omit.js";
import { toTaskNumber } from "../shared/task-references.js";
import { matchesWords } from "../shared/word-match.js";

interface CommentRow {
  id: string;
  asset_id: string | null;
  task_id: string | null;
  /** Null once the comment is removed. */
  text: string | null;
  /** Null for a contractor who used a link. */
  author_id: string | null;
  author: string;
  /** The app that the author wrote it through. */
  client: string | null;
  created_at: Date;
  edited_at: Date | null;
  removed_at: Date | null;
  remover: string | null;
}

export interface ShownComment extends CommentRow {
  files: readonly ShownFile[];
}

const authorName = `coalesce(u.name, ${contractorNameSql("l")})`;
const authorJoins = `LEFT JOIN users u ON u.id = c.created_by
  LEFT JOIN task_links l ON l.organization_id = $1 AND l.id = c.task_link_id`;
const columns = `c.id, c.asset_id, c.task_id, c.text, c.created_by AS author_id, ${authorName} AS author,
  c.client_name AS client, c.created_at, c.edited_at, c.removed_at, r.name AS remover`;
const joins = `${authorJoins} LEFT JOIN users r ON r.id = c.removed_by`;

/** Joins the asset `a` or the task `t` of a comment. */
const subjectJoins = `LEFT JOIN assets a ON a.organization_id = $1 AND a.id = c.asset_id
  LEFT JOIN maintenance_tasks t ON t.organization_id = $1 AND t.id = c.task_id`;

/** SQL condition with `subjectJoins`: the caller sees the comment's asset or task. */
function visibleSubjectSql(caller: Caller, parameters: Parameters): string {
  return `(a.id IS NOT NULL AND ${visibleAssetSql(caller, parameters, "a")}
    OR t.id IS NOT NULL AND ${visibleTaskSql(caller, parameters, "t")})`;
}

export type CommentOwner = { asset_id: string } | { task_id: string };

/** Returns the last comments, oldest first. Empty if the caller doesn't see the subject. */
export async function findComments(
  db: Tx,
  caller: Caller,
  owner: CommentOwner,
  { limit, withRemoved = true }: { limit: number; withRemoved?: boolean },
): Promise<{ comments: ShownComment[]; total: number }> {
  const [column = "", id] = Object.entries(owner)[0] ?? [];
  const parameters = createParameters(caller.organizationId, id);
  const isSeen = column === "asset_id" ? isVisibleAssetSql : isVisibleTaskSql;
  const rows = await db.query<CommentRow & { total: number }>(
    `SELECT ${columns}, count(*) OVER ()::int AS total FROM comments c ${joins}
     WHERE c.organization_id = $1 AND c.${column} = $2 AND ${isSeen(caller, parameters)}
       ${withRemoved ? "" : "AND c.removed_at IS NULL"}
     ORDER BY c.created_at DESC, c.id DESC LIMIT ${parameters.add(limit)}`,
    parameters.values,
  );
  const files = await findFilesOfComments(
    db,
    caller,
    rows.map((row) => row.id),
  );
  const comments = rows.map((row) => ({
    ...row,
    files: files.filter(({ comment_id }) => comment_id === row.id),
  }));
  return { comments: comments.reverse(), total: rows[0]?.total ?? 0 };
}

const maxTold = 10;

/** The last comments for apps, newest first, with the number of all. */
export async function tellComments(db: Tx, caller: Caller, owner: CommentOwner) {
  const told = { limit: maxTold, withRemoved: false };
  const { comments, total } = await findComments(db, caller, owner, told);
  return {
    comments: comments.reverse().map(({ text, author, client, created_at, edited_at, files }) => ({
      author,
      client,
      text: text ?? "",
      files: files.slice(0, maxToldFiles).map((file) => tellFile(caller, file)),
      created_at: toTimestamp(created_at),
      edited_at: edited_at && toTimestamp(edited_at),
    })),
    comment_count: total === 0 ? null : total,
  };
}

/** Returns a comment that is not removed, if the caller sees its subject. */
export async function getComment(db: Tx, caller: Caller, id: string): Promise<CommentRow> {
  const parameters = createParameters(caller.organizationId, id);
  const found =
    idKindOf(id) === "comment"
      ? await db.maybe<CommentRow>(
          `SELECT ${columns} FROM comments c ${joins} ${subjectJoins}
           WHERE c.organization_id = $1 AND c.id = $2 AND c.removed_at IS NULL
             AND ${visibleSubjectSql(caller, parameters)}`,
          parameters.values,
        )
      : undefined;
  if (found === undefined) throw new AppError("not_found", "comment_not_found");
  return found;
}

export function subjectOf({
  asset_id,
  task_id,
}: Pick<CommentRow, "asset_id" | "task_id">): FileSubject {
  if (task_id !== null) return { kind: "task", reference: task_id };
  return { kind: "asset", reference: asset_id ?? "" };
}

/** The comment's place on the page that shows the last comments of its asset or task. */
export function commentAddress({
  id,
  task_id,
  asset_id,
}: Pick<CommentRow, "id" | "asset_id" | "task_id">): string {
  const page = task_id === null ? `/assets/${asset_id ?? ""}/comments` : `/tasks/${task_id}`;
  return `${page}#${id}`;
}

export interface CommentOfSubject extends Pick<
  CommentRow,
  "id" | "asset_id" | "task_id" | "author" | "created_at"
> {
  text: string;
  /** "T-118 Replace the seal", or the asset's name. */
  subject: string;
}

/**
 * Returns visible comments with their subjects, newest first: those with the given ids, or those
 * that a search finds.
 */
export async function findCommentsAnywhere(
  db: Tx,
  caller: Caller,
  wanted: { ids: readonly string[] } | { query: string },
  limit: number,
): Promise<{ comments: CommentOfSubject[]; total_count: number }> {
  const parameters = createParameters(caller.organizationId);
  const isWanted =
    "ids" in wanted
      ? `c.id = ANY (${parameters.add(wanted.ids)}::text[])`
      : matchesWords([], "c.search", wanted.query, parameters);
  const rows = await db.query<
    CommentOfSubject & { task_number: number | null; name: string; total: number }
  >(
    `SELECT c.id, c.asset_id, c.task_id, c.text, c.created_at, ${authorName} AS author,
       t.task_number::int AS task_number, coalesce(t.title, a.name) AS name,
       count(*) OVER ()::int AS total
     FROM comments c ${authorJoins} ${subjectJoins}
     WHERE c.organization_id = $1 AND c.removed_at IS NULL AND ${isWanted}
       AND ${visibleSubjectSql(caller, parameters)}
     ORDER BY c.created_at DESC, c.id DESC LIMIT ${parameters.add(limit)}`,
    parameters.values,
  );
  const comments = rows.map((row) => ({
    ...omit(row, "task_number", "name", "total"),
    subject: row.task_number === null ? row.name : `${toTaskNumber(row.task_number)} ${row.name}`,
  }));
  return { comments, total_count: rows[0]?.total ?? 0 };
}
