import { setTimeout as pause } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { LimitHomeOf } from "./limit-homes.js";
import { createFairTurns, turnsOf, type FairTurns, type GoOn } from "./slots.js";
import { slots } from "./bounds.js";

/** Of which organization it is, and what it is about: that is worked on once at a time. */
export interface Job {
  name: string;
  organizationId: string;
  id: string;
  /** It keeps what it reads in memory until it ends, so that few may be under way. */
  isHeld?: boolean;
}

export interface Jobs {
  /**
   * Begins work that may go on after the answer, and waits for it a few seconds. It asks after each
   * step whether to go on: others have their steps then, and it ends early, where it can be taken up
   * again, when the server stops.
   */
  runJob: (job: Job, work: (goOn: GoOn) => Promise<void>) => Promise<void>;
  /** Reads a table for an organization: of all that are brought, one after the other. */
  readInTurn: FairTurns;
  endJobs: () => Promise<void>;
}

/** Most of what people begin is done by then, and the next page shows how it came out. */
const waitMs = 3000;

/** Work in the background, which nobody's connection ends. */
export function createJobs(limitHomeOf: LimitHomeOf, log: FastifyBaseLogger): Jobs {
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  const inTurn = turnsOf(limitHomeOf, createFairTurns(slots.jobs.most));
  const heldInTurn = turnsOf(limitHomeOf, createFairTurns(slots.heldJobs.most));

  const begin = (
    { name, organizationId, id, isHeld = false }: Job,
    work: (goOn: GoOn) => Promise<void>,
  ) =>
    (isHeld ? heldInTurn : inTurn)(organizationId, (letOthers) =>
      work(async () => {
        if (!isHeld && !stopping.signal.aborted) await letOthers();
        return !stopping.signal.aborted;
      }),
    )
      .catch((error: unknown) => {
        log.error({ err: error, job: name }, "background work stopped");
      })
      .finally(() => running.delete(`${organizationId} ${id}`));

  return {
    runJob: async (job, work) => {
      const key = `${job.organizationId} ${job.id}`;
      const began = running.get(key) ?? begin(job, work);
      running.set(key, began);
      const waited = new AbortController();
      const { signal } = waited;
      await Promise.race([began, pause(waitMs, undefined, { signal }).catch(ignore)]);
      waited.abort();
    },
    readInTurn: turnsOf(limitHomeOf, createFairTurns(slots.tables.most)),
    endJobs: async () => {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}

const ignore = () => undefined;
