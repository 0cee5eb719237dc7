import { describe, expect, test } from "vitest";
import { createCursorCodec } from "../../server/src/domain/shared/cursors.js";
import { worded } from "../support/refusals.js";

const oldKey = "an-old-key-that-has-at-least-32-characters";
const newKey = "a-newer-key-that-has-at-least-32-characters";
const scope = { organizationId: "org_a", list: "assets", sort: "name", filters: { a: 1, b: 2 } };
const position = { id: "ast_0123456789ab", value: "Pump \u6cf5" };

describe("cursors", () => {
  const keeper = createCursorCodec([newKey]);
  const decode: typeof keeper.decode = (wanted, cursor) =>
    worded(() => keeper.decode(wanted, cursor));

  test("decode to their position for any order of the filters", () => {
    const cursor = keeper.encode(scope, position);

    expect(keeper.decode({ ...scope, filters: { b: 2, a: 1, c: undefined } }, cursor)).toEqual(
      position,
    );
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  test("MCP-14: are bound to organization, list, sort and filters", () => {
    const cursor = keeper.encode(scope, position);

    for (const other of [
      { ...scope, organizationId: "org_b" },
      { ...scope, list: "workspaces" },
      { ...scope, sort: "-name" },
      { ...scope, filters: { a: 1 } },
    ]) {
      expect(() => decode(other, cursor)).toThrow("Start again without cursor");
    }
  });

  test("can't be changed or forged", () => {
    const bytes = Buffer.from(keeper.encode(scope, position), "base64url");
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => decode(scope, changed.toString("base64url"))).toThrow("cursor");
    }
    for (const text of ["", "a", "\u0000", "e30", "x".repeat(512)]) {
      expect(() => decode(scope, text)).toThrow("cursor");
    }
  });

  test("are read with older keys and rejected with unknown keys", () => {
    const old = createCursorCodec([oldKey]).encode(scope, position);

    expect(createCursorCodec([newKey, oldKey]).decode(scope, old)).toEqual(position);
    expect(() => decode(scope, old)).toThrow("cursor");
  });

  test("stay within 512 characters and leave out an overlong value", () => {
    const cursor = keeper.encode(scope, { id: position.id, value: "\u6cf5".repeat(200) });

    expect(cursor.length).toBeLessThanOrEqual(512);
    expect(keeper.decode(scope, cursor)).toEqual({ id: position.id, value: undefined });
    const longest = keeper.encode(scope, { id: position.id, value: "x".repeat(300) });
    expect(longest.length).toBeLessThanOrEqual(512);
  });

  test("require a key", () => {
    expect(() => createCursorCodec([])).toThrow("secret key");
  });
});
