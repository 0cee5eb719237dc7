/**
 * Age in milliseconds of a timestamp from a node's clock. A future timestamp comes from a clock
 * that was set back or runs ahead. Its distance counts as age, so it can't stay valid until the
 * clock catches up.
 */
export function ageOf(stampMs: number): number {
  return Math.abs(Date.now() - stampMs);
}
