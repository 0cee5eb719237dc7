import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Creations that can't happen twice, with the reason. */
const heldOtherwise: Record<string, string> = {
  addAuthenticator: "a person has one",
  addDomain: "a domain is added once",
  addPasskey: "its challenge is spent",
  addSubscription: "a browser has one",
  addToWorkspace: "a person is in a workspace once",
  beginSample: "a person has one",
  createFirstAccount: "the link of the set-up is spent",
  makeCalendarAddress: "a person has one, and the newest is valid",
  startApplying: "the state of the plan",
  startUndoOf: "the state of the change set",
};

/** These store nothing. */
const harmless = /^(?:createToken|createReadStream|createOnce|createSheets|addDays)$/;

const folder = fileURLToPath(new URL("../../server/src/web/", import.meta.url));
const creation = /\b(?:create|add|make|start|begin|store)[A-Z]\w*(?=\()/g;

/** Returns the block from the bracket at `start` to its closing bracket. */
function blockAt(source: string, start: number): string {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    if ("([{".includes(source.charAt(at))) depth += 1;
    if (")]}".includes(source.charAt(at))) depth -= 1;
    if (depth === 0) return source.slice(start, at + 1);
  }
  return source.slice(start);
}

/** Returns the creations in a file's forms, and whether each is done once per key. */
function formsIn(file: string): { creates: string; isKeyed: boolean }[] {
  const source = readFileSync(`${folder}${file}`, "utf8");
  return [...source.matchAll(/(?:f|F)ormRoute(?:<[^(]*>)?\(/g)].flatMap(({ index }) => {
    const spec = blockAt(source, source.indexOf("(", index));
    const at = spec.search(/\n\s+change: /);
    if (at < 0) return [];
    const [change = ""] = spec.slice(at).split(/\n {2,4}(?:done|toErrors|controls): /);
    const isKeyed = /\n\s+once: "/.test(spec);
    return [...change.matchAll(creation)]
      .filter(([creates]) => !harmless.test(creates))
      .map(([creates]) => ({ creates, isKeyed }));
  });
}

test("every form that creates a record prevents duplicates", () => {
  const forms = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap(formsIn);
  const unkeyed = forms.filter(({ isKeyed }) => !isKeyed).map(({ creates }) => creates);

  expect(forms.filter(({ isKeyed }) => isKeyed).length).toBeGreaterThan(8);
  expect(unkeyed.toSorted()).toEqual(Object.keys(heldOtherwise).toSorted());
});
