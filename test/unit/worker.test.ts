import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { worker } from "../../server/src/web/offline/worker.js";

/** Returns the offline page for a browser with these languages. */
async function readOffline(languages: string[]): Promise<string> {
  const self = { addEventListener: () => undefined };
  const context = createContext({ self, navigator: { languages }, Response, BroadcastChannel });
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
