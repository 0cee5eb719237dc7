import type { Tx } from "../../server/src/db/database.js";
import { afterEach, expect, test, vi } from "vitest";
import { changeAll, limitSeveral } from "../../server/src/domain/history/change-all.js";
import { lockMembers } from "../../server/src/db/locks.js";
import { toCaller } from "../support/builders.js";

afterEach(() => {
  vi.useRealTimers();
});

const caller = toCaller({
  ...{ userId: "usr_a", organizationId: "org_a", organization: "A", name: "A" },
  ...{ email: "a@example.com", password: "" },
});

test("LIM-35: stops bulk changes that take too long in total", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const tx = { query: async () => [] } as unknown as Tx;
  const changed: number[] = [];
  const changes = (eachMs: number) =>
    changeAll(tx, caller, { field: "ids", items: [1, 2, 3, 4], nameOf: String }, async (item) => {
      vi.advanceTimersByTime(eachMs);
      changed.push(item);
    });

  await expect(changes(2000)).rejects.toMatchObject({
    code: "unavailable",
    key: "several_too_slow",
  });
  expect(changed).toEqual([1, 2, 3]);
  expect(await changes(1000)).toHaveLength(4);
});

test("RVK-18 counts earlier time under the member lock toward the limit", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const tx = { query: async () => [], queryRunner: {} } as unknown as Tx;
  await lockMembers(tx, "org_a");
  vi.advanceTimersByTime(4000);
  const items = { field: "items", items: [1, 2, 3], nameOf: String };
  const changed: number[] = [];

  const changes = changeAll(tx, caller, items, async (item) => {
    vi.advanceTimersByTime(600);
    changed.push(item);
  });

  await expect(changes).rejects.toMatchObject({ key: "several_too_slow" });
  expect(changed).toEqual([1, 2]);
  expect(limitSeveral(tx)).toThrow();
});
