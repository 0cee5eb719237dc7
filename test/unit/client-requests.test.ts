import type { Database } from "../../server/src/db/database.js";
import { expect, onTestFinished, test } from "vitest";
import { createClientRequests } from "../../server/src/mcp/client-requests.js";

test("LIM-43: limits open questions to twenty per organization and four per person", async () => {
  const requests = createClientRequests({ query: async () => [] } as unknown as Database);
  onTestFinished(requests.close);
  const stream = { send: () => undefined, keepOpen: () => undefined };
  const { signal } = new AbortController();
  let asked = 0;
  const ask = (organizationId: string, userId: string) => {
    asked += 1;
    return requests.ask(
      {
        ...{ organizationId, connectionId: "con_1", stream, signal, began: performance.now() },
        person: { organizationId, userId },
      },
      { inputRequests: { confirmation: {} }, requestState: `q${asked}` },
    );
  };
  const isWaiting = (question: Promise<unknown>) =>
    Promise.race([
      question.then(
        () => false,
        () => false,
      ),
      new Promise<boolean>((resolve) => setImmediate(resolve, true)),
    ]);
  const fill = async (organizationId: string, person: number) => {
    const states: boolean[] = [];
    for (let count = 0; count < 5; count += 1) {
      states.push(await isWaiting(ask(organizationId, `usr_${person}`)));
    }
    return states;
  };

  for (let person = 0; person < 5; person += 1) {
    expect(await fill("org_a", person)).toEqual([true, true, true, true, false]);
  }
  expect(await fill("org_a", 5)).toEqual(Array(5).fill(false));
  expect(await fill("org_b", 0)).toEqual([true, true, true, true, false]);
});
