import type { VNode } from "preact";
import { photoMoments, type PhotoMoment } from "../../db/entities/files.js";
import { isViewable } from "../../domain/files/file-types.js";
import type { ShownFile } from "../../domain/files/find-files.js";
import { FileInput } from "../forms/file-input.js";
import { PostForm } from "../forms/controls.js";
import { choiceField } from "../forms/form-fields.js";
import { RadioChoices } from "../forms/radio-choices.js";
import { Moment } from "../layout/moment.js";
import { formatBytes } from "../text/format.js";
import { t, translated } from "../../language/translate.js";
import { withoutAccount } from "../../domain/reports/create-report.js";
import { toPersonName } from "../text/person-name.js";

/** Browsers store files for offline use if their links name a size. */
const toLink = ({ id, type, size }: ShownFile) => ({
  href: `/files/${id}`,
  "data-size": isViewable(type) ? size : undefined,
});
export const toThumbnailAddress = (id: string) => `/files/${id}/thumbnail`;

/** File types offered by the picker. The server checks the content. */
const acceptedExtensions =
  ".jpg,.jpeg,.png,.webp,.pdf,.txt,.csv,.docx,.xlsx,.pptx,.odt,.ods,.odp,image/*";

interface GalleryProps {
  files: readonly ShownFile[];
  mayChange: boolean;
}

/** Pictures side by side, then other files by name. */
export function Gallery({ files, mayChange }: GalleryProps): VNode {
  const pictures = files.filter(({ width }) => width !== null);
  const others = files.filter(({ width }) => width === null);
  return (
    <>
      {pictures.length > 0 && (
        <ul class="pictures">
          {pictures.map((file) => (
            <li key={file.id}>
              <a {...toLink(file)}>
                <img src={toThumbnailAddress(file.id)} alt={file.name} loading="lazy" />
              </a>
              <FileLine file={file} mayChange={mayChange} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul class="documents">
          {others.map((file) => (
            <li key={file.id}>
              <a {...toLink(file)} dir="auto">
                {file.name}
              </a>
              <FileLine file={file} mayChange={mayChange} hasName />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function FileLine({
  file,
  mayChange,
  hasName = false,
}: {
  file: ShownFile;
  mayChange: boolean;
  hasName?: boolean;
}): VNode {
  return (
    <span class="soft file-line">
      <MomentLabel {...file} />
      {hasName && <span>{formatBytes(file.size)}</span>}
      <Moment at={file.created_at} />
      <span dir="auto">{toPersonName(file.added_by ?? withoutAccount)}</span>
      {mayChange && (
        <a
          class="no-print"
          href={`/files/${file.id}/delete`}
          aria-label={t("Delete {name}", { name: file.name })}
        >
          {t("Delete")}
        </a>
      )}
    </span>
  );
}

export const photoMomentLabels: Record<PhotoMoment, string> = translated({
  before: "Before||the work",
  after: "After||the work",
});

export function MomentLabel({ moment }: Pick<ShownFile, "moment">): VNode | null {
  return moment && <strong>{photoMomentLabels[moment]}</strong>;
}

export const photoMomentField = choiceField("Before or after the work?", photoMoments);

/** Whether the photos of a form show the state before or after the work. */
export function MomentChoice({ preset }: { preset: PhotoMoment }): VNode {
  return (
    <div class="photo-moment">
      <RadioChoices
        name="moment"
        legend={photoMomentField.label()}
        choices={photoMoments.map((value) => ({ value, label: photoMomentLabels[value] }))}
        preset={preset}
      />
    </div>
  );
}

/** Several photos and files. Phones offer the camera, the photo library and documents. */
export function AddFilesInput({
  label = t("Add photo or file"),
  help,
}: {
  label?: string;
  help?: string | undefined;
}): VNode {
  return (
    <FileInput
      name="file"
      label={label}
      help={help}
      accept={acceptedExtensions}
      multiple
      isButton
    />
  );
}

/** Adds photos and files to an asset or a task. With scripts, choosing sends them. */
export function AddFilesForm({
  action,
  maxMegabytes,
  moment,
}: {
  /** The form's address. */
  action: string;
  maxMegabytes: number;
  /** Of a task: whether its photos are usually from before or after the work. */
  moment?: PhotoMoment | undefined;
}): VNode {
  return (
    <PostForm action={action} class="add-files no-print" hasFiles isKeyed>
      {moment !== undefined && <MomentChoice preset={moment} />}
      <AddFilesInput
        help={t("Pictures, PDF, text and office files, up to {maxMegabytes} MB.", {
          maxMegabytes,
        })}
      />
      <button type="submit" class="quiet" data-busy={t("Uploading…")}>
        {t("Add")}
      </button>
    </PostForm>
  );
}

export function FilesSection({
  files,
  mayChange,
  ...form
}: GalleryProps & Parameters<typeof AddFilesForm>[0]): VNode | null {
  if (files.length === 0 && !mayChange) return null;
  return (
    <section class="files" aria-labelledby="files">
      <h2 id="files">{t("Photos and files")}</h2>
      <Gallery files={files} mayChange={mayChange} />
      {mayChange && <AddFilesForm {...form} />}
    </section>
  );
}
