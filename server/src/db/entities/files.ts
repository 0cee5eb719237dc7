import { bytes, instantNow, integer, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";

const storages = ["database", "s3"] as const;
export type Storage = (typeof storages)[number];

/** Whether a task's photo was taken before or after the work. */
export const photoMoments = ["before", "after"] as const;
export type PhotoMoment = (typeof photoMoments)[number];

/** A photo or file of an asset or task. The content is in its pieces, or in an object elsewhere. */
export const StoredFile = table(
  "files",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    asset_id: text().nullable().references("assets", "CASCADE"),
    task_id: text().nullable().references("maintenance_tasks", "CASCADE"),
    /**
     * The report that the file was attached to. The file belongs to the report's asset or place,
     * and to the resulting task.
     */
    report_id: text().nullable().references("problem_reports", "CASCADE"),
    /** The comment that the file was attached to. */
    comment_id: text().nullable().references("comments", "CASCADE"),
    /** The link through which a contractor added the file. */
    task_link_id: text().nullable().references("task_links"),
    name: text(),
    /** Detected from the content, never from the name. */
    type: text(),
    /** Bytes. */
    size: integer(),
    /** Pixels. Pictures only. */
    width: integer().nullable(),
    height: integer().nullable(),
    /** WebP. Pictures only. */
    thumbnail: bytes().nullable(),
    /** Photos of tasks only. */
    moment: oneOf(photoMoments).nullable(),
    storage: oneOf(storages),
    /** Null: a person without an account. */
    created_by: text().nullable().references("users"),
    created_at: instantNow(),
  },
  {
    indexes: {
      asset_id: ["organization_id", "asset_id", "created_at"],
      task_id: ["organization_id", "task_id", "created_at"],
      report_id: ["organization_id", "report_id"],
      size: ["organization_id", "size"],
    },
    sqlIndexes: ["comment_id", "task_link_id"],
    checks: ["name", "size", "subject"],
  },
);
export type StoredFile = Row<typeof StoredFile>;

/** Every object put into the object storage. Housekeeping deletes objects that no file uses. */
export const FileObject = table("file_objects", {
  /** Organization and file: `org_…/fil_…`. */
  key: text().primary(),
  created_at: instantNow(),
});

export const FilePiece = table("file_pieces", {
  organization_id: text().primary(),
  file_id: text().primary().references("files", "CASCADE"),
  position: integer().primary(),
  content: bytes(),
});

/** A photo of a refused report, stored until the report is sent again. */
export const KeptPhoto = table(
  "kept_photos",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    name: text(),
    content: bytes(),
    created_at: instantNow(),
  },
  { indexes: { created_at: ["created_at"] } },
);
export type KeptPhoto = Row<typeof KeptPhoto>;
