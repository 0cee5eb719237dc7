import { bytes, instantNow, integer, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";

const storages = ["database", "s3"] as const;
export type Storage = (typeof storages)[number];

/** A photo or another file of an asset or a task; what is in it are its pieces, or an object elsewhere. */
export const StoredFile = table(
  "files",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    asset_id: text().nullable().references("assets", "CASCADE"),
    task_id: text().nullable().references("maintenance_tasks", "CASCADE"),
    /** What it came with; its asset is that of the report, and its task what became of it. */
    report_id: text().nullable().references("problem_reports", "CASCADE"),
    name: text(),
    /** By its content, never by its name. */
    type: text(),
    /** Bytes. */
    size: integer(),
    /** Of a picture, in pixels. */
    width: integer().nullable(),
    height: integer().nullable(),
    /** Of a picture, as WebP. */
    thumbnail: bytes().nullable(),
    storage: oneOf(storages),
    /** Null: somebody without an account. */
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
    checks: ["name", "size", "subject"],
  },
);
export type StoredFile = Row<typeof StoredFile>;

/** What was ever put into the object storage; housekeeping removes what no file is left of. */
export const FileObject = table("file_objects", {
  /** The organization and the file: `org_…/fil_…`. */
  key: text().primary(),
  created_at: instantNow(),
});

/** A part of what is in a file, in the order of positions. */
export const FilePiece = table("file_pieces", {
  organization_id: text().primary(),
  file_id: text().primary().references("files", "CASCADE"),
  position: integer().primary(),
  content: bytes(),
});

/** A photo that came with a refused report, until the report is sent again. */
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
