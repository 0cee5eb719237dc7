import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSingleFlight } from "../../server/src/oauth/single-flight.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("RFR-22: a use of which nobody told that it was answered ends by itself", async () => {
  const refreshes = createSingleFlight<number>();
  let runs = 0;
  const ask = () => refreshes.share("token", performance.now(), async () => (runs += 1));

  expect(await ask()).toBe(1);
  await vi.advanceTimersByTimeAsync(9999);
  expect(await ask()).toBe(1);
  await vi.advanceTimersByTimeAsync(2);

  expect(await ask()).toBe(2);
  refreshes.close();
  expect(vi.getTimerCount()).toBe(0);
});
