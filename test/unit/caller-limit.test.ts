import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  createCallerLimit,
  createPlaces,
  createTurns,
  type Admission,
} from "../../server/src/traffic/caller-limit.js";
import { memoryStore } from "../../server/src/traffic/counter-store.js";
import { Slots } from "../../server/src/traffic/slots.js";

const person = { organizationId: "org_a", userId: "usr_a" };

function leaveAll(admissions: readonly Admission[]): void {
  for (const admission of admissions) if (admission.kind === "ok") admission.leave();
}

describe("caller limit", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const enter = (admit: ReturnType<typeof createCallerLimit>, count: number, key = person) =>
    Promise.all(Array.from({ length: count }, () => admit(key)));

  test("LIM-01: a person has four concurrent calls; the fifth waits for a slot", async () => {
    const admit = createCallerLimit(memoryStore, "calls");
    const four = await enter(admit, 4);
    const fifth = vi.fn();
    const waiting = admit(person).then(fifth);

    await vi.advanceTimersByTimeAsync(1000);
    expect(four.map(({ kind }) => kind)).toEqual(Array(4).fill("ok"));
    expect(fifth).not.toHaveBeenCalled();
    leaveAll(four.slice(0, 1));
    await waiting;

    expect(fifth).toHaveBeenCalledWith(expect.objectContaining({ kind: "ok" }));
  });

  test("LIM-01: rejects a call that waits too long without losing slots", async () => {
    const admit = createCallerLimit(memoryStore, "calls");
    const four = await enter(admit, 4);
    const waiting = enter(admit, 3);

    await vi.advanceTimersByTimeAsync(5000);

    const refused = { kind: "refused", reason: "concurrency", seconds: 1 };
    expect(await waiting).toEqual(Array(3).fill(refused));
    leaveAll(four);
    expect((await enter(admit, 4)).map(({ kind }) => kind)).toEqual(Array(4).fill("ok"));
  });

  test("LIM-27: calls and pages of one person never take all slots of the organization", async () => {
    const places = createPlaces();
    const calls = createCallerLimit(memoryStore, "calls", places);
    const pages = createCallerLimit(memoryStore, "pages", places);
    const taken = [...(await enter(calls, 4)), ...(await enter(pages, 2))];
    const more = enter(pages, 2);
    const colleague = { ...person, userId: "usr_b" };

    expect(await enter(pages, 2, colleague)).toMatchObject([{ kind: "ok" }, { kind: "ok" }]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await more).toMatchObject([{ kind: "refused" }, { kind: "refused" }]);
    expect(taken.map(({ kind }) => kind)).toEqual(Array(6).fill("ok"));
  });

  test("LIM-01: limits an organization to eight concurrent calls without affecting others", async () => {
    const admit = createCallerLimit(memoryStore, "calls");
    await enter(admit, 4);
    await enter(admit, 4, { ...person, userId: "usr_b" });
    expect(await admit({ organizationId: "org_b", userId: "usr_a" })).toMatchObject({ kind: "ok" });

    const ninth = admit({ ...person, userId: "usr_c" });
    await vi.advanceTimersByTimeAsync(5000);

    expect(await ninth).toMatchObject({ kind: "refused", reason: "concurrency" });
  });

  test("LIM-52: throttles a person's many requests while other organizations are active", async () => {
    const places = createPlaces();
    const order: string[] = [];
    const ask = (userId: string, count: number) =>
      Array.from({ length: count }, () =>
        places({ ...person, userId }).then((leave) => {
          order.push(userId);
          return leave;
        }),
      );
    void ask("alone", 4);
    await vi.advanceTimersByTimeAsync(1000);
    await places({ organizationId: "org_b", userId: "usr_c" });

    const [first] = ask("many", 4);
    void ask("few", 2);
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual([...Array<string>(4).fill("alone"), "few", "few", "many"]);
    await vi.advanceTimersByTimeAsync(300);
    (await first)?.();
    await vi.advanceTimersByTimeAsync(299);
    expect(order.slice(7)).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(order.slice(7)).toEqual(["many"]);
  });

  test("an organization alone isn't throttled, though pages count their person first", async () => {
    const places = createPlaces();
    const { userId } = person;
    const opened = vi.fn();
    const open = async () => {
      await places({ organizationId: userId, userId });
      await places(person);
      opened();
    };

    for (let count = 0; count < 4; count += 1) void open();
    await vi.advanceTimersByTimeAsync(0);

    expect(opened).toHaveBeenCalledTimes(4);
  });

  test("LIM-02: allows a person a burst of 100 calls, then refuses, then reports floods", async () => {
    const admit = createCallerLimit(memoryStore, "calls");
    const kinds: string[] = [];
    for (let count = 0; count < 201; count += 1) {
      const admission = await admit(person);
      kinds.push(admission.kind);
      leaveAll([admission]);
    }

    expect(kinds).toEqual([
      ...Array<string>(100).fill("ok"),
      ...Array<string>(100).fill("refused"),
      "flood",
    ]);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await admit(person)).kind).toBe("ok");
  });

  test("LIM-02: allows an organization a burst of 500 calls for any number of people", async () => {
    const admit = createCallerLimit(memoryStore, "calls");
    let admitted = 0;
    for (let count = 0; count < 600; count += 1) {
      const admission = await admit({ ...person, userId: `usr_${count % 10}` });
      if (admission.kind === "ok") admitted += 1;
      leaveAll([admission]);
    }

    expect(admitted).toBe(500);
  });

  test("LIM-34: bulk changes take turns, and a person waits once in the queue", async () => {
    const takeTurn = createTurns({ together: false });
    const colleague = { ...person, userId: "usr_b" };
    const other = { organizationId: "org_b", userId: "usr_c" };
    const order: string[] = [];
    const wait = (name: string, key: typeof person) =>
      takeTurn(key).then((leave) => {
        order.push(name);
        return leave;
      });
    const first = await wait("first", person);
    const mine = [wait("second", person), wait("third", person)];
    const theirs = wait("colleague", colleague);
    await wait("other", other);

    await vi.advanceTimersByTimeAsync(2500);
    first?.();
    await vi.advanceTimersByTimeAsync(1999);
    expect(order).toEqual(["first", "other"]);
    await vi.advanceTimersByTimeAsync(1);
    (await theirs)?.();
    await vi.advanceTimersByTimeAsync(1);
    for (const leave of mine) {
      (await leave)?.();
      await vi.advanceTimersByTimeAsync(1);
    }

    expect(order).toEqual(["first", "other", "colleague", "second", "third"]);
    await wait("held", person);
    const refused = takeTurn(colleague);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await refused).toBeUndefined();
  });

  test("LIM-34: all organizations share one queue on the embedded database", async () => {
    const takeTurn = createTurns({ together: true });
    await takeTurn(person);
    const other = takeTurn({ organizationId: "org_b", userId: "usr_c" });

    await vi.advanceTimersByTimeAsync(5000);

    expect(await other).toBeUndefined();
  });

  test("LIM-91 gives a free statement slot to the organization with the fewest", async () => {
    const slots = new Slots({ total: 6, maxWaitMs: 5000 });
    const order: string[] = [];
    const leaves: (() => void)[] = [];
    const ask = async (key: string) => {
      const leave = await slots.enter(key);
      if (leave === undefined) return void order.push(`${key} gave up`);
      order.push(key);
      leaves.push(leave);
    };
    for (const key of ["a", "a", "a", "b", "b", "b", "c", "c", "quiet"]) void ask(key);
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual(["a", "a", "a", "b", "b", "c"]);

    for (let count = 0; count < 4; count += 1) {
      leaves.shift()?.();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(order.slice(6)).toEqual(["quiet", "c", "b"]);
    const late = ["d", "d", "d"].map(ask);
    await vi.advanceTimersByTimeAsync(5000);
    await Promise.all(late);
    expect(order.slice(9)).toEqual(["d", "d gave up", "d gave up"]);
  });

  test("LIM-99 gives free slots to each in turn, even behind a long queue", async () => {
    const slots = new Slots({ total: 4, maxWaitMs: 5000 });
    const order: string[] = [];
    const leaves: (() => void)[] = [];
    const ask = async (key: string) => {
      leaves.push((await slots.enter(key)) ?? (() => undefined));
      order.push(key);
    };
    for (const key of ["a", "b", "c", "d"])
      for (let count = 0; count < 10; count += 1) void ask(key);
    void ask("quiet");
    await vi.advanceTimersByTimeAsync(0);
    for (let count = 0; count < 5; count += 1) {
      leaves.shift()?.();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(order.slice(0, 9)).toContain("quiet");
  });
});
