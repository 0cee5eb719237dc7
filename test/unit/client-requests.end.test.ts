import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import type { Database } from "../../server/src/db/database.js";
import { describe, expect, test } from "vitest";
import { createClientRequests } from "../../server/src/mcp/client-requests.js";

const organizationId = "org_000000000001";
const question = {
  inputRequests: { confirmation: { method: "elicitation/create" } },
  requestState: "cnf_000000000001",
};

describe("question to a client", () => {
  function start({ beganMsAgo = 0 } = {}) {
    const requests = createClientRequests({} as Database);
    const connection = { organizationId, connectionId: "con_000000000001" };
    const { signal } = new AbortController();
    const call = {
      ...connection,
      person: { organizationId, userId: "usr_000000000001" },
      stream: { send: () => undefined, keepOpen: () => undefined },
      began: performance.now() - beganMsAgo,
      signal,
    };
    return { ...requests, connection, call, signal };
  }

  test("LIM-72 is not awaited after earlier questions took five minutes", async () => {
    const { ask, call } = start({ beganMsAgo: 300_000 });

    expect(await ask(call, question)).toEqual({ confirmation: { action: "unanswered" } });
  });

  test("LIM-72 removes its listeners when it is answered", async () => {
    const { ask, take, connection, call, signal } = start();
    const asking = ask(call, question);
    await setImmediate();
    expect(getEventListeners(signal, "abort")).toHaveLength(1);

    const result = { action: "decline" };
    await take(connection, { id: "cnf_000000000001.confirmation", result });

    expect(await asking).toEqual({ confirmation: result });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
