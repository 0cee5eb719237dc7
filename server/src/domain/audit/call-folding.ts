import type { ToolCall } from "../../db/entities/oauth.js";

/** One call of a tool as it comes; arguments come without free text and emails. */
export type MadeCall = Omit<ToolCall, "id" | "calls">;

/** A row of the log: one call, or several of a kind. */
export type LoggedCall = Omit<ToolCall, "id">;

export interface CallFolder {
  /** The row to write now, or undefined for a call that is counted in a row of its minute. */
  add: (call: MadeCall, isRead: boolean) => LoggedCall | undefined;
  /** The counting rows of minutes that have ended by then; of all, without a time. */
  takeEnded: (now?: Date) => LoggedCall[];
}

const minuteMs = 60_000;

/** Rows of its own that an app of a person gets in a minute: of the same kind, and of all kinds. */
const maxSame = 10;
const maxRows = 60;

interface Minute {
  endsAt: number;
  rows: number;
  /** How many rows there are of a kind. */
  single: Map<string, number>;
  folded: Map<string, LoggedCall>;
}

/**
 * Keeps calls without end from filling the log: what an app does more often than the limits say in a
 * minute becomes one row with a count for each kind. Of a kind are equal reads, and refusals for the
 * same reason; changes are folded only beyond what an app gets for all kinds together.
 */
export function createCallFolder(): CallFolder {
  const minutes = new Map<string, Minute>();

  function minuteOf(call: MadeCall): Minute {
    const app = [call.organization_id, call.user_id, call.client_id].join(" ");
    let minute = minutes.get(app);
    if (minute === undefined) {
      const endsAt = call.created_at.getTime() + minuteMs;
      minute = { endsAt, rows: 0, single: new Map(), folded: new Map() };
      minutes.set(app, minute);
    }
    return minute;
  }

  return {
    add(call, isRead) {
      const minute = minuteOf(call);
      const kind = kindOf(call, isRead);
      const same = minute.single.get(kind) ?? 0;
      const isFrequent = same >= maxSame && (isRead || call.outcome === "error");
      if (!isFrequent && minute.rows < maxRows) {
        minute.rows += 1;
        minute.single.set(kind, same + 1);
        return { ...call, calls: 1 };
      }
      const isSameRead = isFrequent && call.outcome === "ok";
      const folded = isSameRead ? call : { ...call, arguments: {} };
      const key = kindOf(folded, true);
      const row = minute.folded.get(key);
      if (row === undefined) {
        minute.folded.set(key, { ...folded, calls: 1 });
      } else {
        row.calls += 1;
        row.duration_ms += call.duration_ms;
      }
      return undefined;
    },
    takeEnded(now) {
      const rows: LoggedCall[] = [];
      for (const [app, { endsAt, folded }] of minutes) {
        const left = endsAt - (now?.getTime() ?? endsAt);
        // More than all of it is left where the clock was set back.
        if (left > 0 && left <= minuteMs) continue;
        minutes.delete(app);
        rows.push(...folded.values());
      }
      return rows;
    },
  };
}

function kindOf(call: MadeCall, isRead: boolean): string {
  const isSameWhateverItSays = call.outcome === "error" || !isRead;
  const what = isSameWhateverItSays ? "" : JSON.stringify(call.arguments);
  return [call.tool, call.error_code, what].join(" ");
}
