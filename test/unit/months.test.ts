import { expect, test } from "vitest";
import { startsOfMonths } from "../../server/src/domain/shared/dates.js";

test("LIM-36: limits months to a lifetime for any span", () => {
  expect(startsOfMonths("9999-12-31", "9999-12-31")).toEqual(["9999-12-31"]);
  expect(startsOfMonths("2026-10-15", "2026-12-02")).toEqual([
    ...["2026-10-15", "2026-11-01", "2026-12-01"],
  ]);
  const all = startsOfMonths("0001-01-01", "2026-12-02");
  expect(all).toHaveLength(924);
  expect(all.slice(0, 2)).toEqual(["0001-01-01", "1950-02-01"]);
});
