import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { PhotoMoment } from "../../db/entities/files.js";
import { addFiles, maxSent } from "../../domain/files/add-files.js";
import { findFilesOf, type ShownFile } from "../../domain/files/find-files.js";
import { findRightsIn, workspaceRefOf } from "../../domain/access/roles.js";
import { getVisibleAsset } from "../../domain/assets/visible-assets.js";
import { getAssetId } from "../../domain/shared/asset-references.js";
import { toTabAddress } from "../assets/asset-head.js";
import { formRoute } from "../forms/form-route.js";
import type { Form, FormRequest } from "../forms/form-spec.js";
import { readFormKey } from "../forms/key-and-version.js";
import { seeOther } from "../forms/form-reply.js";
import { Page } from "../layout/layout.js";
import { PageHead, type Crumb } from "../layout/page-head.js";
import { EmptyState } from "../layout/notices.js";
import { readTask, toUsualMoment } from "../tasks/read-task.js";
import { nameOf } from "../tasks/describe-task.js";
import { AddFilesForm, Gallery, photoMomentField } from "./gallery.js";
import { t } from "../../language/translate.js";

interface Subject {
  kind: "asset" | "task";
  id: string;
  name: string;
  address: string;
  /** The page that shows the files. */
  filesAddress: string;
  files: readonly ShownFile[];
  mayChange: boolean;
  /** Tasks only. */
  moment?: PhotoMoment;
}

/** `/assets/:id/files` and `/tasks/:id/files`: all photos and files, and the form to add some. */
export const filesForms: FastifyPluginAsync = async (app) => {
  await app.register(filesForm("asset", openAsset));
  await app.register(filesForm("task", openTask));
};

function filesForm(kind: Subject["kind"], open: (form: FormRequest) => Promise<Subject>) {
  return formRoute({
    path: `/${kind}s/:id/files`,
    upload: { maxFiles: maxSent },
    open,
    fields: { moment: photoMomentField },
    controls: { photo: "file", file: "file" },
    once: "files",
    // Pictures are read before the transaction begins.
    inTransaction: false,
    change: (_db, { app, request, caller, subject, given: { moment } }) => {
      const target = { kind, reference: subject.id, requestKey: readFormKey(request.body) };
      const files = request.uploads.map((file) => (kind === "task" ? { ...file, moment } : file));
      return addFiles(request.db, caller, app.services.files, target, files);
    },
    done: ({ added }, { subject }) =>
      seeOther(
        subject.filesAddress,
        t("{count, plural, one {# file} other {# files}} added to {name}.", {
          count: added,
          name: subject.name,
        }),
      ),
    page: (form) => <FilesPage form={form} />,
  });
}

async function openAsset({ db, caller, id }: FormRequest): Promise<Subject> {
  const asset = await getVisibleAsset(db, caller, await getAssetId(db, caller, id));
  const [files, rights] = await Promise.all([
    findFilesOf(db, caller, { asset_id: asset.id }),
    findRightsIn(db, caller, workspaceRefOf(asset)),
  ]);
  const address = `/assets/${asset.id}`;
  return {
    kind: "asset",
    id: asset.id,
    name: asset.name,
    address,
    filesAddress: toTabAddress(asset, "files"),
    files,
    mayChange: rights.member,
  };
}

async function openTask({ db, caller, id }: FormRequest): Promise<Subject> {
  const opened = await readTask(db, caller, id);
  const { task, may } = opened;
  const files = await findFilesOf(db, caller, { task_id: task.id });
  const address = `/tasks/${task.id}`;
  return {
    kind: "task",
    id: task.id,
    name: nameOf(task),
    address,
    filesAddress: `${address}#files`,
    files,
    mayChange: may.change,
    moment: toUsualMoment(opened),
  };
}

function toList(kind: Subject["kind"]): Crumb {
  return kind === "asset"
    ? { href: "/assets", label: t("Assets") }
    : { href: "/tasks", label: t("Tasks") };
}

function FilesPage({ form }: { form: Form<Subject, object> }): VNode {
  const { subject, app } = form;
  const { kind, name, address, files, mayChange, moment } = subject;
  return (
    <Page title={t("Photos and files of {name}", { name })} current={`${address}/files`}>
      <PageHead
        title={t("Photos and files")}
        crumbs={[toList(kind), { href: address, label: name }]}
        facts={<span dir="auto">{name}</span>}
      />
      {mayChange && (
        <AddFilesForm
          action={`${address}/files`}
          maxMegabytes={app.services.files.maxMegabytes}
          moment={moment}
        />
      )}
      {files.length === 0 ? (
        <EmptyState title={t("Nothing here yet")}>
          <p>{t("Add photos of the nameplate, manuals and certificates.")}</p>
        </EmptyState>
      ) : (
        <Gallery files={files} mayChange={mayChange} />
      )}
    </Page>
  );
}
