import { describe, expect, test, vi } from "vitest";
import { createMemoryBudget } from "../../server/src/traffic/memory-budget.js";

describe("unread responses", () => {
  const bounds = { person: 10, organization: 20, process: 30 };
  const reader = (name: string, organizationId = "org_one") => ({ organizationId, userId: name });
  const [a, b, c, d] = [reader("a"), reader("b"), reader("c"), reader("d", "org_two")] as const;

  test("LIM-28: rejects further responses of a person over the limit until one closes", () => {
    const answers = createMemoryBudget("unread", bounds);
    const first = answers.open(a, vi.fn());
    const second = answers.open(a, vi.fn());

    expect([first.hold(4), first.hold(6), second.hold(4)]).toEqual([true, true, true]);
    expect(answers.isFull(a)).toBe(false);
    expect(second.hold(5)).toBe(false);
    expect([answers.isFull(a), answers.isFull(b)]).toEqual([true, false]);
    first.close();
    first.close();

    expect(answers.isFull(a)).toBe(false);
    expect(first.hold(1)).toBe(false);
  });

  test("LIM-28: over the organization limit, drops the oldest response of the largest user", () => {
    const answers = createMemoryBudget("unread", bounds);
    const givenUp: string[] = [];
    const open = (name: string, by = a) =>
      answers.open(by, () => {
        givenUp.push(name);
      });
    open("small", b).hold(2);
    open("old").hold(5);
    open("new").hold(5);
    open("other organization", d).hold(9);
    expect(givenUp).toEqual([]);

    expect(open("last", c).hold(9)).toBe(true);

    expect(givenUp).toEqual(["old"]);
    expect(open("longest", c).hold(21)).toBe(false);
    expect(givenUp).toEqual(["old", "last", "longest"]);
  });

  test("LIM-28: over the process limit, drops the oldest response of the largest user", () => {
    const answers = createMemoryBudget("unread", { ...bounds, organization: 100 });
    const givenUp: string[] = [];
    for (const [index, reader] of [a, b, c, d].entries()) {
      for (const name of ["first", "second"]) {
        const answer = answers.open(reader, () => {
          givenUp.push(`${name} of ${String(index)}`);
        });
        expect(answer.hold(index === 0 ? 5 : 4)).toBe(true);
      }
    }

    expect(givenUp).toEqual(["first of 0"]);
  });

  test("over the process limit, many of one organization leave room for another's", () => {
    const answers = createMemoryBudget("unread", bounds);
    const givenUp: string[] = [];
    for (const name of ["a", "b", "c", "e", "f"]) {
      answers.open(reader(name), () => givenUp.push(name)).hold(4);
    }
    answers.open(reader("g", "org_three"), () => givenUp.push("g")).hold(1);

    expect(answers.open(d, () => givenUp.push("d")).hold(10)).toBe(true);

    expect(givenUp).toEqual(["a"]);
  });
});
