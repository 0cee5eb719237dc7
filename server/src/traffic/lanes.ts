import { repeat } from "../domain/shared/repeat.js";
import { createFairQueue } from "./slots.js";

export interface LanesOptions<Work> {
  /** Number of organizations that a node serves at the same time. */
  lanes: number;
  /** Lanes for organizations with a slow receiver, so others needn't wait for them. */
  lanesOfSlow: number;
  /** Defaults to five seconds. */
  everyMs?: number | undefined;
  /** Claims the next due work of an organization that is not excluded. */
  claim: (excluded: readonly string[]) => Promise<Work | undefined>;
  serve: (work: Work) => Promise<void>;
  onError: (error: unknown) => void;
}

const slowMs = 1000;
const slowForMs = 10 * 60_000;

/**
 * Polls for work and serves it in lanes. An organization has one lane for all its receivers, so slow
 * ones delay only their organization. Returns a function that stops the lanes.
 */
export function startLanes<Work extends { organization_id: string }>({
  lanes,
  everyMs = 5000,
  onError,
  ...options
}: LanesOptions<Work>): () => Promise<void> {
  const ending = new AbortController();
  const serveNext = createLane(options);
  const running = Array.from({ length: lanes }, () =>
    repeat(everyMs, async () => {
      try {
        while (!ending.signal.aborted && (await serveNext()));
      } catch (error) {
        onError(error);
      }
    }),
  );
  return async () => {
    ending.abort();
    await Promise.all(running.map(({ stop }) => stop()));
  };
}

/** Serves a lane's next work and returns true if there was some. */
function createLane<Work extends { organization_id: string }>({
  lanesOfSlow,
  claim,
  serve,
}: Pick<LanesOptions<Work>, "lanesOfSlow" | "claim" | "serve">) {
  const served = new Set<string>();
  const slow = createSlow();
  const oneByOne = createFairQueue(1);
  return async (): Promise<boolean> => {
    const work = await oneByOne("claim", async () => {
      const areSlow = slow.list();
      const isFull = areSlow.filter((id) => served.has(id)).length >= lanesOfSlow;
      const claimed = await claim([...served, ...(isFull ? areSlow : [])]);
      if (claimed !== undefined) served.add(claimed.organization_id);
      return claimed;
    });
    if (work === undefined) return false;
    const began = performance.now();
    try {
      await serve(work);
    } finally {
      served.delete(work.organization_id);
      if (performance.now() - began > slowMs) slow.add(work.organization_id);
    }
    return true;
  };
}

/** Organizations that recently had a slow receiver. */
function createSlow() {
  const since = new Map<string, number>();
  return {
    add: (organizationId: string) => since.set(organizationId, performance.now()),
    list: (): string[] => {
      const earliest = performance.now() - slowForMs;
      for (const [id, at] of since) if (at < earliest) since.delete(id);
      return [...since.keys()];
    },
  };
}
