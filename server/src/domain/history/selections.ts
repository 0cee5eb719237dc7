import type { Parameters } from "../../db/parameters.js";

/** The changes to undo: a change set's, or an app's for a person within a time span. */
export type Selection =
  | { changeSetId: string }
  | {
      clientId: string;
      userId: string;
      /** Instants. The span includes both. */
      from: string;
      until: string;
    };

/** SQL condition: `event`, the alias of a history_events row of organization $1, is selected. */
export function selectedSql(selection: Selection, { add }: Parameters, event: string): string {
  if ("changeSetId" in selection) return `${event}.change_set_id = ${add(selection.changeSetId)}`;
  const { clientId, userId, from, until } = selection;
  return `${event}.client_id = ${add(clientId)} AND ${event}.actor_user_id = ${add(userId)}
    AND ${event}.recorded_at BETWEEN ${add(from)}::timestamptz AND ${add(until)}::timestamptz`;
}
