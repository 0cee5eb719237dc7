import { limitRefusals } from "../metrics.js";
import { toPersonKey, type CallerKey } from "./caller-limit.js";

/** What waits in memory to be read: a person's answers, those of an organization, and all. */
const mebibyte = 1_048_576;
const bounds = { person: 4 * mebibyte, organization: 16 * mebibyte, process: 64 * mebibyte };

export interface UnreadAnswer {
  /** Counts what there is of it; false when its reader has too much, or it is over. */
  hold: (bytes: number) => boolean;
  close: () => void;
}

export interface UnreadAnswers {
  /** Whether somebody has so much to read that they get no more. */
  isFull: (reader: CallerKey) => boolean;
  open: (reader: CallerKey, giveUp: () => void) => UnreadAnswer;
}

interface Waiting {
  person: string;
  organization: string;
  bytes: number;
  giveUp: () => void;
}

const everybody = "";

/**
 * Counts answers until they have left. A person who has too many gets no more. Past the bounds of an
 * organization or the process the oldest answer of who has most is given up, so that nobody keeps
 * others from theirs.
 */
export function createUnreadAnswers(max = bounds): UnreadAnswers {
  const answers = new Set<Waiting>();
  const sums = new Map<string, number>();
  const sumOf = (key: string) => sums.get(key) ?? 0;

  const count = (answer: Waiting, bytes: number) => {
    for (const key of [answer.person, answer.organization, everybody]) {
      const sum = sumOf(key) + bytes - answer.bytes;
      if (sum > 0) sums.set(key, sum);
      else sums.delete(key);
    }
    answer.bytes = bytes;
  };

  const close = (answer: Waiting) => {
    if (answers.delete(answer)) count(answer, 0);
  };

  const giveUpPast = (most: number, key: string) => {
    while (sumOf(key) > most) {
      const largest = [...answers]
        .filter(({ organization }) => key === everybody || organization === key)
        .reduce((one, other) => (sumOf(other.person) > sumOf(one.person) ? other : one));
      close(largest);
      largest.giveUp();
      limitRefusals.inc({ limit: "unread_given_up" });
    }
  };

  return {
    isFull: (reader) => sumOf(toPersonKey(reader)) > max.person,
    open: (reader, giveUp) => {
      const { organizationId: organization } = reader;
      const answer = { person: toPersonKey(reader), organization, bytes: 0, giveUp };
      answers.add(answer);
      return {
        hold: (bytes) => {
          if (!answers.has(answer)) return false;
          count(answer, bytes);
          giveUpPast(max.organization, organization);
          giveUpPast(max.process, everybody);
          return answers.has(answer) && sumOf(answer.person) <= max.person;
        },
        close: () => {
          close(answer);
        },
      };
    },
  };
}
