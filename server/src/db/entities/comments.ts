import { instant, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** A comment on an asset or a task. */
export const Comment = table(
  "comments",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    asset_id: text().nullable().references("assets", "CASCADE"),
    task_id: text().nullable().references("maintenance_tasks", "CASCADE"),
    /** Null once the comment is removed. */
    text: text().nullable(),
    /** The app that the author wrote it through. */
    client_name: text().nullable(),
    /** Null if a contractor wrote it through a link. */
    created_by: text().nullable().references("users"),
    task_link_id: text().nullable().references("task_links"),
    created_at: instantNow(),
    edited_at: instant().nullable(),
    removed_by: text().nullable().references("users"),
    removed_at: instant().nullable(),
  },
  {
    sqlIndexes: ["asset_id", "task_id", "task_link_id", "search"],
    checks: ["text", "author", "subject", "removed"],
    searchable: ["search"],
  },
);
export type Comment = Row<typeof Comment>;
