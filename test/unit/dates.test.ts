import { expect, test } from "vitest";
import { monthsBetween } from "../../server/src/domain/shared/dates.js";

test.each([
  ["2023-05-17", "2023-05-17", 0],
  ["2023-05-17", "2023-06-16", 0],
  ["2023-05-17", "2023-06-17", 1],
  ["2023-12-31", "2024-01-30", 0],
  ["2024-01-31", "2024-02-29", 0],
  ["2024-01-31", "2024-03-01", 1],
  ["2024-02-29", "2025-02-28", 11],
  ["2024-02-29", "2025-03-01", 12],
  ["0999-11-30", "2024-11-30", 12_300],
])("counts the time from %s to %s as %i whole months", (from, to, months) => {
  expect(monthsBetween(from, to)).toBe(months);
});
