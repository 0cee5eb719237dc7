import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { useApp, type TestApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import {
  ageRotation,
  callWith,
  connect,
  refresh,
  type TestClient,
  type Tokens,
} from "../../support/oauth.js";

interface Model {
  client: TestClient;
  tokens: Tokens;
  last: { token: string; id: string | undefined; used: boolean; aged: boolean } | undefined;
  ended: boolean;
}

/** Each runs a step in the product and the model and compares the results. */
const steps = {
  refresh: (current, model) => rotate(current, model, undefined),
  "named refresh": (current, model) => rotate(current, model, aRotationId()),
  call: async ({ app }, model) => {
    expect(await callWith(app, model.tokens.access_token)).toBe(model.ended ? 401 : 200);
    if (model.last !== undefined) model.last.used = true;
  },
  repeat: async ({ app }, model) => {
    const { client, tokens, last } = model;
    if (last === undefined) return;
    const id = { rotation_id: last.id ?? aRotationId() };
    const answer = (await refresh(app, client, last.token, id)).json<Tokens>();
    if (last.id !== undefined && !last.used && !model.ended) {
      expect(answer).toEqual({ ...tokens, expires_in: answer.expires_in });
    } else {
      expect(answer).toMatchObject({ error: "invalid_grant" });
      model.ended ||= last.aged;
    }
  },
  age: async ({ db }, { last }) => {
    await ageRotation(db, 11);
    if (last !== undefined) last.aged = true;
  },
} satisfies Record<string, (current: TestApp, model: Model) => Promise<void>>;

function aRotationId(): string {
  return randomBytes(16).toString("base64url");
}

async function rotate({ app }: TestApp, model: Model, id: string | undefined): Promise<void> {
  const { client, tokens } = model;
  const answer = await refresh(app, client, tokens.refresh_token, { rotation_id: id ?? "" });
  expect(answer.statusCode).toBe(model.ended ? 400 : 200);
  if (model.ended) return;
  model.last = { token: tokens.refresh_token, id, used: false, aged: false };
  model.tokens = answer.json<Tokens>();
}

const stepNames = ["refresh", "named refresh", "call", "repeat", "repeat", "age"] as const;

describe("refreshes with and without rotation_id, in any order", () => {
  const current = useApp();

  test("RFR-08: repeats return the last pair only while it was named and is unused", async () => {
    const member = await aMember(current().db);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...stepNames), { minLength: 2, maxLength: 10 }),
        async (names) => {
          const connected = await connect(current().app, member);
          const model: Model = { ...connected, last: undefined, ended: false };
          for (const name of names) await steps[name](current(), model);
        },
      ),
      { numRuns: 12 },
    );
  });
});
