import type { VNode } from "preact";
import { findFile, type FoundFile } from "../../domain/files/find-files.js";
import { removeFile, subjectOf } from "../../domain/files/remove-file.js";
import { toTabAddress } from "../assets/asset-head.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import { DangerZone } from "../layout/danger-zone.js";
import { Page } from "../layout/layout.js";
import { PageHead } from "../layout/page-head.js";
import { toThumbnailAddress } from "./gallery.js";
import { t, tRich } from "../../language/translate.js";

/** `/files/:id/delete`: asks for confirmation, because a deleted file can't be restored. */
export const deleteFileForm = formRoute({
  path: "/files/:id/delete",
  open: ({ db, caller, id }) => findFile(db, caller, id),
  change: (tx, { caller, id }) => removeFile(tx, caller, id),
  done: (file) => seeOther(toFilesAddress(file), t("{name} deleted.", { name: file.name })),
  page: ({ subject: file }) => <DeletePage file={file} />,
});

function toOwner(file: FoundFile): string {
  const { kind, reference } = subjectOf(file);
  return `/${kind}s/${reference}`;
}

function toFilesAddress(file: FoundFile): string {
  const { kind, reference } = subjectOf(file);
  return kind === "asset" ? toTabAddress({ id: reference }, "files") : `${toOwner(file)}#files`;
}

function DeletePage({ file }: { file: FoundFile }): VNode {
  return (
    <Page title={t("Delete {name}", { name: file.name })} current={toOwner(file)}>
      <PageHead title={t("Delete a file")} crumbs={[{ href: toOwner(file), label: t("Back") }]} />
      {file.width !== null && (
        <p>
          <img src={toThumbnailAddress(file.id)} alt="" />
        </p>
      )}
      <DangerZone>
        <p>
          {tRich(
            "This deletes {name} for everyone. It can't be restored. The history keeps its name.",
            {
              name: (
                <strong class="named" dir="auto">
                  {file.name}
                </strong>
              ),
            },
          )}
        </p>
        <PostForm>
          <FormActions submit={t("Delete")} danger cancel={toOwner(file)} />
        </PostForm>
      </DangerZone>
    </Page>
  );
}
