import { describe, expect, test } from "vitest";
import { isConnectionLost } from "../../server/src/db/connection-errors.js";

describe("errors for an unreachable database", () => {
  const withCode = (code: string, more: object = {}) =>
    Object.assign(new Error("failed"), { code, ...more });

  test.each([
    ["a refused connection", withCode("ECONNREFUSED")],
    ["one of several addresses", new AggregateError([withCode("ECONNREFUSED")])],
    ["a server that stops", withCode("57P01")],
    ["a class of its own", withCode("08006")],
    ["a database that is gone", withCode("3D000")],
    [
      "a database that is being moved",
      new Error('database "fettle" is not currently accepting connections'),
    ],
    ["the socket of the embedded database", withCode("ENOENT", { syscall: "connect" })],
  ])("%s", (_, error) => {
    expect(isConnectionLost(error)).toBe(true);
  });

  test.each([
    ["a file that is missing", withCode("ENOENT", { syscall: "open" })],
    ["a wrong query", withCode("42601")],
    ["a broken constraint", withCode("23505")],
    ["what is no error", "database is gone"],
  ])("%s is not one", (_, error) => {
    expect(isConnectionLost(error)).toBe(false);
  });
});
