import { describe, expect, test } from "vitest";
import { instantIn, localTimeIn } from "../../server/src/domain/shared/dates.js";

describe("clock times in a time zone", () => {
  test.each([
    ["UTC", "2026-11-21T14:30", "2026-11-21T14:30:00.000Z"],
    ["Europe/Berlin", "2026-11-21T14:30", "2026-11-21T13:30:00.000Z"],
    ["Europe/Berlin", "2026-07-01T00:00", "2026-06-30T22:00:00.000Z"],
    ["Asia/Kathmandu", "2026-01-01T05:45", "2026-01-01T00:00:00.000Z"],
    ["America/St_Johns", "2026-03-08T01:59", "2026-03-08T05:29:00.000Z"],
  ])("in %s, converts %s to %s and back", (timeZone, local, instant) => {
    expect(instantIn(timeZone, local).toISOString()).toBe(instant);
    expect(localTimeIn(timeZone, new Date(instant))).toBe(local);
  });

  test("moves a skipped time later and uses the first of a repeated time", () => {
    expect(instantIn("Europe/Berlin", "2026-03-29T02:30").toISOString()).toBe(
      "2026-03-29T01:30:00.000Z",
    );
    expect(instantIn("Europe/Berlin", "2026-10-25T02:30").toISOString()).toBe(
      "2026-10-25T00:30:00.000Z",
    );
  });
});
