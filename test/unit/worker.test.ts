import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { worker } from "../../server/src/web/offline/worker.js";

/** Returns the offline page for a browser with these languages. */
async function readOffline(languages: string[]): Promise<string> {
  const self = { addEventListener: () => undefined };
  const caches = { keys: async () => [] };
  const kinds = { Response, BroadcastChannel };
  const context = createContext({ self, caches, navigator: { languages }, ...kinds });
  runInContext(worker, context);
  return (await (runInContext('findKept("/rounds/1")', context) as Promise<Response>)).text();
}

test.each([
  [["de-AT", "en"], "de", "Sie sind offline"],
  [["xx", "de"], "de", "Sie sind offline"],
  [["en-US", "de"], "en", "You're offline"],
  [["fr-CA", "en"], "fr", "Vous êtes hors ligne"],
  [[], "en", "You're offline"],
])("a browser in %j shows the offline page in %s", async (languages, lang, heading) => {
  const page = await readOffline(languages);
  expect(page).toContain(`<html lang="${lang}">`);
  expect(page).toContain(`<h1>${heading}</h1>`);
});

test("the worker shows a pushed message, which opens its address", async () => {
  const handlers = new Map<string, (event: object) => void>();
  const calls: unknown[] = [];
  const note = (name: string) => async (values: unknown, more?: { tag: string }) =>
    void calls.push([name, values, ...(more === undefined ? [] : [more.tag])]);
  const self = {
    addEventListener: (name: string, handle: (event: object) => void) => handlers.set(name, handle),
    registration: { showNotification: note("show") },
    clients: { openWindow: note("open") },
  };
  const navigator = { languages: [], setAppBadge: note("badge") };
  runInContext(worker, createContext({ self, navigator, Response, BroadcastChannel }));
  const waits: Promise<unknown>[] = [];
  const send = (name: string, event: object) =>
    handlers.get(name)?.({ ...event, waitUntil: (work: Promise<unknown>) => waits.push(work) });
  const url = "/notifications/assigned/task_1";

  send("push", { data: { json: () => ({ title: "Assigned to you: T-1 Oil", url }) } });
  send("notificationclick", { notification: { close: () => undefined, data: { url } } });
  await Promise.all(waits);
  expect(calls).toEqual([
    ["show", "Assigned to you: T-1 Oil", url],
    ["badge", undefined],
    ["open", url],
  ]);
});

/** Runs an expression in the worker, with one stored page of the person. */
function runInWorker(code: string, { owner = "user_1.org_1", page = "" } = {}): unknown {
  const answer = new Response(page, { headers: { date: "Mon, 30 Nov 2026 10:00:00 GMT" } });
  const self = {
    addEventListener: () => undefined,
    cookieStore: { get: async () => (owner === "" ? null : { value: owner }) },
  };
  const caches = {
    open: async (name: string) => ({
      match: async () => (name === "offline-user_1.org_1" ? answer : undefined),
    }),
  };
  const navigator = { languages: ["en"] };
  const kinds = { Response, Headers, FormData, URLSearchParams, Uint8Array, Array, Date, crypto };
  const context = createContext({ self, caches, navigator, BroadcastChannel, ...kinds });
  runInContext(worker, context);
  return runInContext(code, context);
}

test.each([
  ["/tasks/task_1/complete", true],
  ["/tasks/task_1/checklist", true],
  ["/assets/asset_1/files", true],
  ["/q/abcdefghijkl/report", true],
  ["/tasks/task_1/cancel", false],
  ["/tasks/task_1/edit", false],
  ["/assets/asset_1/delete", false],
  ["/signout", false],
  ["/settings/password", false],
])("a form of %s waits: %s", (path, waits) => {
  expect(runInWorker(`waitingForm.test("${path}")`)).toBe(waits);
});

test("a stored page says when it was saved, and its forms get new keys", async () => {
  const key = "abcdefghijkl";
  const page = `<html lang="en"><input type="hidden" name="request_key" value="${key}"/>`;
  const open = async () =>
    ((await runInWorker(`findKept("/tasks/task_1")`, { page })) as Response).text();
  const [first, second] = [await open(), await open()];

  expect(first).toContain('<html data-saved-at="2026-11-30T10:00:00.000Z" lang="en">');
  expect(first).toMatch(/name="request_key" value="[0-9a-v]{12}"/);
  expect(first).not.toContain(key);
  expect(second).not.toBe(first);
});

test.each(["", "user_2.org_1", "user_1.org_2"])("%j never sees another's page", async (owner) => {
  const code = `findKept("/tasks/task_1")`;
  const answer = (await runInWorker(code, { owner, page: "secret" })) as Response;
  expect(answer.status).toBe(503);
  expect(await answer.text()).not.toContain("secret");
});

test("a waiting form is sent with a fresh token, and as it was encoded", () => {
  const send = (isMultipart: boolean) =>
    runInWorker(
      `toBody({ isMultipart: ${isMultipart}, fields: [["done", "1"], ["done", "3"]] }, "fresh")`,
    ) as URLSearchParams | FormData;
  for (const isMultipart of [true, false]) {
    const body = send(isMultipart);
    expect([body.getAll("done"), body.get("_csrf")]).toEqual([["1", "3"], "fresh"]);
    expect(body instanceof FormData).toBe(isMultipart);
  }
});

test("a refused form's stored photos aren't sent again", () => {
  const fields = `[["comment", "Text"], ["step-4", ""], ["photo-4", {}], ["file", {}]]`;
  const kept = runInWorker(`withStored(${fields}, { "step-4": "file_1" })`);
  expect(JSON.parse(JSON.stringify(kept))).toEqual([
    ["comment", "Text"],
    ["step-4", "file_1"],
  ]);
});

test("forms of one task wait for each other", () => {
  const subject = (path: string) => runInWorker(`subjectOf({ path: "${path}" })`);
  expect(subject("/tasks/task_1/complete")).toBe(subject("/tasks/task_1/comments"));
  expect(subject("/tasks/task_1/complete")).not.toBe(subject("/tasks/task_2/complete"));
});
