import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { roundsWorker } from "../../server/src/web/rounds/worker.js";

/** Returns the offline page for a browser with these languages. */
async function readOffline(languages: string[]): Promise<string> {
  const self = { addEventListener: () => undefined };
  const context = createContext({ self, navigator: { languages }, Response });
  runInContext(roundsWorker, context);
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
