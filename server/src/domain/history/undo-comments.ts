import { createParameters } from "../../db/parameters.js";
import { removeComment } from "../comments/change-comments.js";
import { orConflict, type Undoing, type Undone } from "./outcomes.js";
import { selectedSql } from "./selections.js";

/** SQL condition: the event, an alias of history_events, added a comment. */
export function addsCommentSql(event: string): string {
  return `(${event}.type = 'note_added' AND jsonb_path_exists(${event}.changes,
    '$[*] ? (@.field == "comment" && exists(@.to) && !exists(@.from))'))`;
}

/** Removes the comments that the selected events added. A redo doesn't restore them. */
export async function undoComments(undoing: Undoing, undone: Undone): Promise<Undone> {
  const { tx, caller, subject, selection, isApplied } = undoing;
  const parameters = createParameters(caller.organizationId, subject.id);
  const owner = `${subject.kind}_id`;
  const added = await tx.query<{ id: string; text: string }>(
    `SELECT c.id, c.text FROM comments c
     WHERE c.organization_id = $1 AND c.${owner} = $2 AND c.removed_at IS NULL
       AND EXISTS (SELECT FROM history_events e
         WHERE e.organization_id = $1 AND e.${owner} = $2 AND ${addsCommentSql("e")}
           AND e.changes @> jsonb_build_array(jsonb_build_object('to', c.id))
           AND ${selectedSql(selection, parameters, "e")})
     ORDER BY c.created_at, c.id`,
    parameters.values,
  );
  const conflicts = [...undone.conflicts];
  const changes = [...undone.changes];
  for (const { id, text } of added) {
    const removed = await orConflict(conflicts, "comment", async () => {
      if (isApplied) await removeComment(tx, caller, id);
      return true;
    });
    if (removed === true) changes.push({ field: "comment", from: text });
  }
  return { ...undone, changes, conflicts };
}
