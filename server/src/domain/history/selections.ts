import type { Parameters } from "../../db/parameters.js";

/** Which changes are undone: those of a change set, or what an app did for a person in a span of time. */
export type Selection =
  | { changeSetId: string }
  | {
      clientId: string;
      userId: string;
      /** Instants; the span has both of them. */
      from: string;
      until: string;
    };

/** The condition on `event`, the alias of a history_events row of the organization $1. */
export function selectedSql(selection: Selection, { add }: Parameters, event: string): string {
  if ("changeSetId" in selection) return `${event}.change_set_id = ${add(selection.changeSetId)}`;
  const { clientId, userId, from, until } = selection;
  return `${event}.client_id = ${add(clientId)} AND ${event}.actor_user_id = ${add(userId)}
    AND ${event}.recorded_at BETWEEN ${add(from)}::timestamptz AND ${add(until)}::timestamptz`;
}
