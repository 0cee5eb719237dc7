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
