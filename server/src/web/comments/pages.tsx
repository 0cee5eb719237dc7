import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import type { Tx } from "../../db/database.js";
import { getVisibleAsset } from "../../domain/assets/visible-assets.js";
import {
  addComment,
  editComment,
  maxComment,
  removeComment,
} from "../../domain/comments/change-comments.js";
import { getComment, subjectOf } from "../../domain/comments/find-comments.js";
import { maxSent, placeFiles, storeFiles, storePlaced } from "../../domain/files/add-files.js";
import { findSubject, lockSubject, type FileSubject } from "../../domain/files/file-subjects.js";
import { createOnce } from "../../domain/history/idempotency.js";
import { commit, dryRun } from "../../domain/history/transactions.js";
import { findPersonChoices } from "../../domain/people/person-choices.js";
import { getAssetId } from "../../domain/shared/asset-references.js";
import { foldWord } from "../../domain/shared/mentions.js";
import { t } from "../../language/translate.js";
import { requireMember } from "../../plugins/members.js";
import { toTabAddress } from "../assets/asset-head.js";
import { findAssetPermissions } from "../../domain/assets/asset-permissions.js";
import { FormActions, PostForm, TextArea } from "../forms/controls.js";
import { readText, required, textField } from "../forms/form-fields.js";
import { seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import { readFormKey } from "../forms/key-and-version.js";
import type { FormRequest } from "../forms/form-spec.js";
import { DangerZone } from "../layout/danger-zone.js";
import { Page } from "../layout/layout.js";
import { callerOf } from "../layout/reply.js";
import { PageHead } from "../layout/page-head.js";
import { nameOf } from "../tasks/describe-task.js";
import { readTask } from "../tasks/read-task.js";
import { Markdown } from "../text/markdown.js";
import { withWarnings } from "../text/warnings-for-people.js";
import {
  allComments,
  CommentForm,
  CommentList,
  readComments,
  type CommentsView,
} from "./comments-section.js";

export const commentPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(commentsForm("task", openTask));
  await app.register(commentsForm("asset", openAsset));
  await app.register(mentionedPeople("task"));
  await app.register(mentionedPeople("asset"));
  await app.register(editForm);
  await app.register(removeForm);
};

const fields = { comment: required(textField("Comment"), "Write a comment.") };
const action = "add comments";

interface Subject {
  id: string;
  name: string;
  view: CommentsView;
}

/** `/tasks/:id/comments` and `/assets/:id/comments`: all comments, and the form to add one. */
function commentsForm(kind: FileSubject["kind"], open: (form: FormRequest) => Promise<Subject>) {
  return formRoute({
    path: `/${kind}s/:id/comments`,
    upload: { maxFiles: maxSent },
    open,
    once: "comment",
    fields,
    controls: { file: "photo" },
    // Pictures are read before the transaction begins.
    inTransaction: false,
    change: async (_db, { app, request, caller, subject: { id }, given: { comment } }) => {
      const { db, uploads } = request;
      const room = app.services.files;
      const subject = { kind, reference: id };
      await dryRun(db, (tx) => findSubject(tx, caller, subject, action));
      const placed = await placeFiles(db, caller, room, uploads);
      const store = async (tx: Tx) => {
        const locked = await lockSubject(tx, caller, subject, action);
        const added = await addComment(tx, caller, locked, comment);
        if (placed.length > 0 && !added.isRepeated) {
          const owner = { [`${kind}_id`]: locked.id, comment_id: added.id };
          await storeFiles(tx, caller, room, owner, placed);
        }
        return { id: added.id, warnings: added.warnings };
      };
      const intended = {
        tool: "web:comment",
        requestKey: readFormKey(request.body),
        arguments: { ...subject, comment, sent: placed.map(({ name, size }) => [name, size]) },
      };
      const storeOnce = (tx: Tx) => createOnce(tx, caller, intended, () => store(tx));
      return storePlaced(db, caller, room, placed, () => commit({ db, caller }, storeOnce));
    },
    done: (added, { subject: { id } }) =>
      seeOther(toPlace(kind, id, added.id), withWarnings(t("Comment added."), added.warnings)),
    page: ({ subject }) => <CommentsPage {...subject} />,
  });
}

const maxSuggested = 6;

/** `/tasks/:id/people` and `/assets/:id/people`: names to suggest after "@" in a comment. */
const mentionedPeople =
  (kind: FileSubject["kind"]): FastifyPluginAsync =>
  async (app) => {
    app.get<{ Params: { id: string } }>(`/${kind}s/:id/people`, async (request) => {
      const caller = callerOf(request);
      const { db, query } = request;
      const subject = { kind, reference: request.params.id };
      const { workspaceId } = await findSubject(db, caller, subject, action);
      const beginning = foldWord(readText(query, "q").trim().slice(0, 100));
      if (/\p{Cc}/u.test(beginning)) return [];
      const people = await findPersonChoices(db, caller, workspaceId ?? undefined, { beginning });
      const others = people.filter(({ id }) => id !== caller.userId);
      return others.slice(0, maxSuggested).map(({ name }) => name);
    });
  };

/** The comment's place on the page of its asset or task. */
function toPlace(kind: FileSubject["kind"], id: string, comment: string): string {
  const page = kind === "asset" ? toTabAddress({ id }, "work") : `/tasks/${id}`;
  return `${page}#${comment}`;
}

async function openTask({ db, caller, id }: FormRequest): Promise<Subject> {
  const { task, may } = await readTask(db, caller, id);
  const more = { place: task, limit: allComments, mayComment: may.change };
  const view = await readComments(db, caller, { task_id: task.id }, more);
  return { id: task.id, name: nameOf(task), view };
}

async function openAsset({ db, caller, id: reference }: FormRequest): Promise<Subject> {
  const asset = await getVisibleAsset(db, caller, await getAssetId(db, caller, reference));
  const { id, name } = asset;
  const may = await findAssetPermissions(db, caller, asset);
  const more = { place: asset, limit: allComments, mayComment: may.change };
  return { id, name, view: await readComments(db, caller, { asset_id: id }, more) };
}

function CommentsPage({ name, view }: Subject): VNode {
  const { address, mayComment, comments } = view;
  return (
    <Page title={t("Comments on {name}", { name })} current={`${address}/comments`}>
      <PageHead title={t("Comments")} crumbs={[{ href: address, label: name }]} />
      {comments.length === 0 && !mayComment && <p class="soft">{t("No comments yet.")}</p>}
      <CommentList {...view} />
      {mayComment && <CommentForm address={address} />}
    </Page>
  );
}

async function open({ db, caller, id }: FormRequest) {
  return getComment(db, caller, id);
}

type Opened = Awaited<ReturnType<typeof open>>;

function toAddressOf(comment: Opened): string {
  const { kind, reference } = subjectOf(comment);
  return `/${kind}s/${reference}`;
}

function toPageOf(comment: Opened): string {
  const { kind, reference } = subjectOf(comment);
  return toPlace(kind, reference, comment.id);
}

/** `/comments/:id/edit`: the author corrects the text. */
const editForm = formRoute({
  path: "/comments/:id/edit",
  open,
  fields,
  begin: ({ subject: { text } }) => ({ comment: text ?? "" }),
  change: (tx, { caller, id, given: { comment } }) => editComment(tx, caller, id, comment),
  done: ({ warnings }, { subject }) =>
    seeOther(toPageOf(subject), withWarnings(t("Comment saved."), warnings)),
  page: ({ subject }) => (
    <CommentPage comment={subject} title={t("Edit comment")}>
      <PostForm class="panel">
        <TextArea
          name="comment"
          help={t("The history keeps the former text.")}
          maxLength={maxComment}
          mentions={toAddressOf(subject)}
          rows={6}
        />
        <FormActions submit={t("Save")} cancel={toPageOf(subject)} />
      </PostForm>
    </CommentPage>
  ),
});

/** `/comments/:id/remove`: asks first, because the text and the photos can't be restored. */
const removeForm = formRoute({
  path: "/comments/:id/remove",
  open,
  change: (tx, { caller, id }) => removeComment(tx, caller, id),
  done: (_, { subject }) => seeOther(toPageOf(subject), t("Comment removed.")),
  page: ({ subject }) => (
    <CommentPage comment={subject} title={t("Remove comment")}>
      <DangerZone>
        <Markdown text={subject.text ?? ""} />
        <p>
          {t(
            "This removes the text and its photos for everyone. Others see that you removed a comment.",
          )}
        </p>
        <PostForm>
          <FormActions submit={t("Remove")} danger cancel={toPageOf(subject)} />
        </PostForm>
      </DangerZone>
    </CommentPage>
  ),
});

function CommentPage({
  comment,
  title,
  children,
}: {
  comment: Opened;
  title: string;
  children: ComponentChildren;
}): VNode {
  const back = { href: toPageOf(comment), label: t("Back") };
  return (
    <Page title={title} current={comment.task_id === null ? "/assets/" : "/tasks/"}>
      <PageHead title={title} crumbs={[back]} />
      {children}
    </Page>
  );
}
