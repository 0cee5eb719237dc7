import { toRecord } from "../../common/json.js";
import { type Call, isFinished } from "../requests/exchange.js";
import { listKinds, toListChanged } from "../requests/message.js";
import type { Result } from "./startup-cache.js";

/** What the host was given in the server's place, until the server's own answers are there. */
export interface ChangeDetector {
  /** One call of each method goes on in the background; the others end with this answer. */
  track: (call: Call, result: Result) => void;
  /** Tells the host to ask again where the server's answer is another one. */
  compare: (call: Call, result: unknown) => void;
}

export function createChangeDetector(output: {
  write: (frame: string) => boolean;
}): ChangeDetector {
  const sent = new Map<string, { call: Call; result: Result }>();
  return {
    track: (call, result) => {
      const following = sent.get(call.method);
      if (following !== undefined && !isFinished(following.call.exchange)) {
        call.exchange.abort.abort();
        return;
      }
      sent.set(call.method, { call, result });
      call.exchange.deadline = Infinity;
    },
    compare: ({ method }, result) => {
      const before = sent.get(method);
      if (before === undefined) return;
      sent.delete(method);
      for (const kind of findChanged(method, before.result, result)) {
        output.write(toListChanged(kind));
      }
    },
  };
}

function findChanged(method: string, before: unknown, after: unknown): string[] {
  if (method !== "initialize") {
    const [kind = ""] = method.split("/", 1);
    return isSame(entriesOf(before, kind), entriesOf(after, kind)) ? [] : [kind];
  }
  const [old, now] = [before, after].map((result) => toRecord(toRecord(result)["capabilities"]));
  return listKinds.filter((kind) => now?.[kind] !== undefined && !isSame(old?.[kind], now[kind]));
}

function entriesOf(result: unknown, kind: string): unknown[] {
  const { nextCursor, ...fields } = toRecord(result);
  return [fields[kind] ?? fields["resourceTemplates"], nextCursor];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
