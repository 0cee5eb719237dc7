import { limitRefusals } from "../metrics.js";
import { toPersonKey, type CallerKey } from "./caller-limit.js";
import type { MemoryBound } from "./bounds.js";

export interface HeldPart {
  /** Sets the held bytes. Returns false if the holder has too much, or the part was dropped. */
  hold: (bytes: number) => boolean;
  close: () => void;
}

export interface MemoryBudget {
  /** Returns true if the holder has too much to get more. */
  isFull: (holder: CallerKey) => boolean;
  open: (holder: CallerKey, giveUp: () => void) => HeldPart;
}

interface Part {
  person: string;
  organization: string;
  bytes: number;
  giveUp: () => void;
}

const everybody = "";

/**
 * Counts bytes held until they are closed, such as unread responses and arriving bodies. A person
 * over the limit can't hold further bytes. If an organization or the process exceeds its limit,
 * drops the oldest part of the largest holder in the largest organization. Neither a single person
 * nor many together can then starve others. `name` labels the metric of dropped parts.
 */
export function createMemoryBudget(name: string, max: Omit<MemoryBound, "what">): MemoryBudget {
  const parts = new Set<Part>();
  const sums = new Map<string, number>();
  const sumOf = (key: string) => sums.get(key) ?? 0;

  const count = (part: Part, bytes: number) => {
    for (const key of [part.person, part.organization, everybody]) {
      const sum = sumOf(key) + bytes - part.bytes;
      if (sum > 0) sums.set(key, sum);
      else sums.delete(key);
    }
    part.bytes = bytes;
  };

  const close = (part: Part) => {
    if (parts.delete(part)) count(part, 0);
  };

  const compare = (one: Part, other: Part) =>
    sumOf(one.organization) - sumOf(other.organization) || sumOf(one.person) - sumOf(other.person);
  const giveUpPast = (most: number, key: string) => {
    while (sumOf(key) > most) {
      const largest = [...parts]
        .filter(({ organization }) => key === everybody || organization === key)
        .reduce((one, other) => (compare(other, one) > 0 ? other : one));
      close(largest);
      largest.giveUp();
      limitRefusals.inc({ limit: `${name}_given_up` });
    }
  };

  return {
    isFull: (holder) => sumOf(toPersonKey(holder)) > max.person,
    open: (holder, giveUp) => {
      const { organizationId: organization } = holder;
      const part = { person: toPersonKey(holder), organization, bytes: 0, giveUp };
      parts.add(part);
      return {
        hold: (bytes) => {
          if (!parts.has(part)) return false;
          count(part, bytes);
          giveUpPast(max.organization, organization);
          giveUpPast(max.process, everybody);
          return parts.has(part) && sumOf(part.person) <= max.person;
        },
        close: () => {
          close(part);
        },
      };
    },
  };
}
