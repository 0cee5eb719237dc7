import type { Result } from "./first-answers.js";
import { type Call, isOver } from "./job.js";
import { toListChanged } from "./list-changed.js";
import { toRecord } from "./message.js";

/** What the host was given in the server's place, until the server's own answers are there. */
export interface GivenAnswers {
  /** One call of each method goes on in the background; the others end with this answer. */
  note: (call: Call, result: Result) => void;
  /** Tells the host to ask again where the server's answer is another one. */
  compare: (call: Call, result: unknown) => void;
}

const announced = ["tools", "prompts", "resources"];

export function createGivenAnswers(output: { write: (frame: string) => boolean }): GivenAnswers {
  const given = new Map<string, { call: Call; result: Result }>();
  return {
    note: (call, result) => {
      const following = given.get(call.method);
      if (following !== undefined && !isOver(following.call.job)) {
        call.job.abort.abort();
        return;
      }
      given.set(call.method, { call, result });
      call.job.deadline = Infinity;
    },
    compare: (call, result) => {
      const before = given.get(call.method)?.result;
      given.delete(call.method);
      for (const kind of findChanged(call.method, before, result)) {
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
  return announced.filter((kind) => now?.[kind] !== undefined && !isSame(old?.[kind], now[kind]));
}

function entriesOf(result: unknown, kind: string): unknown[] {
  const { nextCursor, ...fields } = toRecord(result);
  return [fields[kind] ?? fields["resourceTemplates"], nextCursor];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
