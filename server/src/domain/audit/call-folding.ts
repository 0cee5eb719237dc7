import type { ToolCall } from "../../db/entities/oauth.js";

/** One tool call as received. Its arguments contain no free text and no emails. */
export type MadeCall = Omit<ToolCall, "id" | "calls">;

export type LoggedCall = Omit<ToolCall, "id">;

export interface CallFolder {
  /** Returns the row to write now, or undefined for a call counted in its minute's row. */
  add: (call: MadeCall, isRead: boolean) => LoggedCall | undefined;
  /**
   * Returns the counting rows of minutes that have ended by `now`, or of all minutes without `now`.
   */
  takeEnded: (now?: Date) => LoggedCall[];
}

const minuteMs = 60_000;

/** Individual rows per minute for each app and person: of one kind, and of all kinds. */
const maxSame = 10;
const maxRows = 60;

interface Minute {
  endsAt: number;
  rows: number;
  /** Number of individual rows per kind. */
  single: Map<string, number>;
  folded: Map<string, LoggedCall>;
}

/**
 * Keeps repeated calls from filling the log. Beyond the limits per minute, an app's calls become
 * one row with a count for each kind. Equal reads are a kind, and so are refusals for one reason.
 * Changes are folded only beyond the app's limit for all kinds.
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
        // More than a full minute is left if the clock was set back.
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
