import type { VNode } from "preact";
import type { Tx } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import { findRightsIn, workspaceRefOf } from "../../domain/access/roles.js";
import { maxComment, mayRemove } from "../../domain/comments/change-comments.js";
import {
  findComments,
  type CommentOwner,
  type ShownComment,
} from "../../domain/comments/find-comments.js";
import { t, tRich } from "../../language/translate.js";
import { Gallery } from "../files/gallery.js";
import { PostForm, TextArea } from "../forms/controls.js";
import { FileInput } from "../forms/file-input.js";
import { Avatar } from "../layout/avatar.js";
import { Moment } from "../layout/moment.js";
import { formatNumber } from "../text/format.js";
import { Markdown } from "../text/markdown.js";
import { PersonName } from "../text/person-name.js";

/** On the page of the asset or task. Its page of comments shows more. */
const shownComments = 20;
/** No page grows without limit. The history has the rest. */
export const allComments = 500;

export interface CommentsView {
  caller: Caller;
  /** The address of the asset or task. */
  address: string;
  comments: readonly ShownComment[];
  total: number;
  mayComment: boolean;
  rights: { admin: boolean };
}

interface Place {
  workspace_id: string | null;
  workspace_name: string | null;
}

export async function readComments(
  db: Tx,
  caller: Caller,
  owner: CommentOwner,
  {
    place,
    limit = shownComments,
    mayComment,
  }: { place: Place; limit?: number; mayComment: boolean },
): Promise<CommentsView> {
  const [found, rights] = await Promise.all([
    findComments(db, caller, owner, { limit }),
    findRightsIn(db, caller, workspaceRefOf(place)),
  ]);
  const [kind, id] = "task_id" in owner ? ["tasks", owner.task_id] : ["assets", owner.asset_id];
  return { caller, address: `/${kind}/${id}`, ...found, mayComment, rights };
}

/** The comments on an asset or a task, oldest first, and the form to add one. */
export function CommentsSection(view: CommentsView): VNode | null {
  const { address, total, comments, mayComment } = view;
  if (total === 0 && !mayComment) return null;
  return (
    <section class="comments" aria-labelledby="comments">
      <h2 id="comments">{t("Comments")}</h2>
      {total > comments.length && (
        <p class="no-print">
          <a href={`${address}/comments`}>
            {t("View all {count} comments", { count: formatNumber(total) })}
          </a>
        </p>
      )}
      <CommentList {...view} />
      {mayComment && <CommentForm address={address} />}
    </section>
  );
}

/** The last comment on an asset, with links to all comments and the form. */
export function LatestComment(view: CommentsView): VNode | null {
  const { address, total, mayComment } = view;
  if (total === 0 && !mayComment) return null;
  const all = `${address}/comments`;
  return (
    <section class="comments" aria-labelledby="comments">
      <h2 id="comments">{t("Comments")}</h2>
      <CommentList {...view} />
      <p class="no-print">
        {total > 1 && (
          <a href={all}>{t("View all {count} comments", { count: formatNumber(total) })}</a>
        )}
        {total > 1 && mayComment && " · "}
        {mayComment && <a href={`${all}#comment`}>{t("Add a comment")}</a>}
      </p>
    </section>
  );
}

export function CommentList(view: CommentsView): VNode | null {
  if (view.comments.length === 0) return null;
  return (
    <ol class="comment-list">
      {view.comments.map((comment) => (
        <li key={comment.id} id={comment.id}>
          <CommentItem comment={comment} view={view} />
        </li>
      ))}
    </ol>
  );
}

function CommentItem({ comment, view }: { comment: ShownComment; view: CommentsView }): VNode {
  const { text, author, client, created_at: at, edited_at: editedAt, files } = comment;
  if (text === null) return <Removed comment={comment} />;
  return (
    <>
      <p class="comment-by">
        <Avatar name={author} />
        <strong>
          <PersonName name={author} />
        </strong>
        <span class="soft">
          {client !== null && <>{t("through {app}", { app: client })} · </>}
          <Moment at={at} />
          {editedAt !== null && (
            <> · {tRich("edited {when}", { when: <Moment at={editedAt} inline /> })}</>
          )}
        </span>
      </p>
      <Markdown text={text} />
      {files.length > 0 && <Gallery files={files} mayChange={view.mayComment} />}
      <CommentActions comment={comment} view={view} />
    </>
  );
}

function Removed({ comment: { remover, removed_at: at } }: { comment: ShownComment }): VNode {
  return (
    <p class="soft">
      {tRich("Comment removed by {name}, {when}", {
        name: <PersonName name={remover} />,
        when: at && <Moment at={at} inline />,
      })}
    </p>
  );
}

function CommentActions({
  comment: { id, author, author_id },
  view: { caller, mayComment, rights },
}: {
  comment: ShownComment;
  view: CommentsView;
}): VNode | null {
  if (!mayComment || !mayRemove(caller, { author_id }, rights)) return null;
  return (
    <p class="comment-actions soft no-print">
      {author_id === caller.userId && <a href={`/comments/${id}/edit`}>{t("Edit")}</a>}
      <a
        href={`/comments/${id}/remove`}
        aria-label={t("Remove the comment by {name}", { name: author })}
      >
        {t("Remove")}
      </a>
    </p>
  );
}

export function CommentForm({ address }: { address: string }): VNode {
  return (
    <PostForm action={`${address}/comments`} class="comment-form no-print" hasFiles isKeyed>
      <TextArea
        name="comment"
        label={t("Comment")}
        help={t("Write @ and a name to notify someone.")}
        maxLength={maxComment}
        mentions={address}
        rows={3}
        required
      />
      <FileInput name="photo" label={t("Add photo")} accept="image/*" multiple isButton />
      <div class="actions">
        <button type="submit" class="quiet" data-busy={t("Uploading…")}>
          {t("Comment||button")}
        </button>
      </div>
    </PostForm>
  );
}
