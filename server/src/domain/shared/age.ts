/**
 * How old what a node's clock has stamped is, in milliseconds. What lies ahead was stamped before the
 * clock was set back, or by a node whose clock is ahead, and is as old as it is far away: else it would
 * count until the clock is there.
 */
export function ageOf(stampMs: number): number {
  return Math.abs(Date.now() - stampMs);
}
