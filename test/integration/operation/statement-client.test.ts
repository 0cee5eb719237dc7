import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { useDatabase } from "../../support/database.js";

const db = useDatabase();

async function connect(): Promise<pg.Client> {
  const { url } = db().source.options as { url: string };
  // Files share modules. The names of statements that other files sent would be used up.
  vi.resetModules();
  const { StatementClient } = await import("../../../server/src/db/statement-client.js");
  const client: pg.Client = new StatementClient({ connectionString: url });
  onTestFinished(() => client.end());
  await client.connect();
  await client.query("CREATE TEMPORARY TABLE notes (text text NOT NULL)");
  return client;
}

const insert = "INSERT INTO notes VALUES ($1)";

async function readNotes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>("SELECT text FROM notes ORDER BY text");
  return rows.map(({ text }) => text);
}

test("sends the start of a transaction with its first statement", async () => {
  const client = await connect();
  await client.query(insert, ["before"]);

  // Only this client's: in the same process, servers of other test files may still be at work.
  const spy = vi.spyOn(pg.Client.prototype, "query");
  await client.query("START TRANSACTION");
  await client.query(insert, ["rolled back"]);
  await client.query("ROLLBACK");
  const sent = spy.mock.calls.filter((_, index) => spy.mock.contexts[index] === client);
  spy.mockRestore();

  expect(sent.map(([statement]) => statement)).toMatchObject([{ text: insert }, "ROLLBACK"]);
  expect(await readNotes(client)).toEqual(["before"]);
});

test("starts the transaction first before a statement that is new or has no parameters", async () => {
  const client = await connect();
  const statements: [text: string, values?: string[]][] = [
    [insert, ["new"]],
    ["INSERT INTO notes VALUES ('plain')"],
  ];
  for (const [text, values] of statements) {
    await client.query("START TRANSACTION");
    await client.query(text, values);
    await client.query("ROLLBACK");
  }

  expect(await readNotes(client)).toEqual([]);
});

test("a failed first statement leaves a failed transaction", async () => {
  const client = await connect();
  await client.query(insert, ["before"]);
  await client.query("START TRANSACTION");

  await expect(client.query(insert, [null])).rejects.toThrow("null value");
  await expect(client.query(insert, ["after"])).rejects.toThrow("transaction is aborted");

  await client.query("ROLLBACK");
  expect(await readNotes(client)).toEqual(["before"]);
});

test("a value that can't be sent leaves the transaction open", async () => {
  const client = await connect();
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  await client.query(insert, ["before"]);
  await client.query("START TRANSACTION");

  await expect(client.query(insert, [circular])).rejects.toThrow("circular");
  await client.query(insert, ["after"]);

  await client.query("ROLLBACK");
  expect(await readNotes(client)).toEqual(["before"]);
});
