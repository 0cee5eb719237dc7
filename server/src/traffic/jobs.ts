import { setTimeout as pause } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { LimitHomeOf } from "./quota-organizations.js";
import { createFairQueue, turnsOf, type FairQueue, type ShouldContinue } from "./slots.js";
import { slots } from "./bounds.js";

/** The job's organization and subject. Only one job per subject runs at a time. */
export interface Job {
  name: string;
  organizationId: string;
  id: string;
  /** True if the job holds its data in memory until it ends, so only few may run. */
  isHeld?: boolean;
}

export interface Jobs {
  /**
   * Starts work that may outlast the response, and waits a few seconds for it. After each step, the
   * work asks if it should continue, which lets other jobs run their steps. When the server stops,
   * the answer is no. The work then ends early and can be resumed later.
   */
  runJob: (job: Job, work: (shouldContinue: ShouldContinue) => Promise<void>) => Promise<void>;
  /** Queue for reading uploaded tables: one at a time across all organizations. */
  readInTurn: FairQueue;
  endJobs: () => Promise<void>;
}

/** Most jobs finish in this time, so the next page shows the result. */
const waitMs = 3000;

/** Background jobs, which a client's disconnect doesn't end. */
export function createJobs(quotaOrganizationOf: LimitHomeOf, log: FastifyBaseLogger): Jobs {
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  const inTurn = turnsOf(quotaOrganizationOf, createFairQueue(slots.jobs.most));
  const heldInTurn = turnsOf(quotaOrganizationOf, createFairQueue(slots.heldJobs.most));

  const begin = (
    { name, organizationId, id, isHeld = false }: Job,
    work: (shouldContinue: ShouldContinue) => Promise<void>,
  ) =>
    (isHeld ? heldInTurn : inTurn)(organizationId, (yieldSlot) =>
      work(async () => {
        if (!isHeld && !stopping.signal.aborted) await yieldSlot();
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
    readInTurn: turnsOf(quotaOrganizationOf, createFairQueue(slots.tables.most)),
    endJobs: async () => {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}

const ignore = () => undefined;
