import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runsUnclaimedName } from "../support/unclaimed-name.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Files that people read or that generate such files. */
const sources = [".", "bridge", "server", "bridge/src", "server/src", "shared/src"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder.endsWith("src"), withFileTypes: true }),
  )
  .filter((file) => file.isFile() && /\.(md|json|yml|tsx?|m?js)$/.test(file.name))
  .filter(({ name }) => name !== "package-lock.json")
  .map((file) => join(file.parentPath, file.name));

test.each([
  "npx fettle-bridge https://a.example",
  "npx -y fettle-bridge@latest install",
  '{ "command": "npx", "args": ["-y", "fettle-bridge", "https://a.example"] }',
  "npm install --global fettle-bridge",
  "pnpm dlx fettle-bridge",
])("flags %s as running an unclaimed package name", (text) => {
  expect(runsUnclaimedName(text)).toEqual([text]);
});

test.each([
  "npx --yes --allow-remote=root https://a.example/downloads/fettle-bridge.tgz install https://a.example",
  "npx --yes @acme/fettle-bridge https://a.example",
  "npm install --global ./bridge/dist/fettle-bridge.tgz",
  "npm publish --workspace fettle-bridge",
])("accepts %s", (text) => {
  expect(runsUnclaimedName(text)).toEqual([]);
});

test("no document, setting or program text runs the bridge by its bare name", () => {
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((path) =>
    runsUnclaimedName(readFileSync(path, "utf8")).map((line) => `${path}: ${line}`),
  );

  expect(found).toEqual([]);
});
