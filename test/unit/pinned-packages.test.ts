import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Lockfile {
  packages: Record<string, { version?: string; resolved?: string; integrity?: string }>;
}

const lockfile = JSON.parse(
  readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"),
) as Lockfile;

test("OPS-08: the OAuth library has its known vulnerabilities fixed", () => {
  const version = lockfile.packages["node_modules/@node-oauth/oauth2-server"]?.version ?? "0";
  const [major = 0, minor = 0] = version.split(".").map(Number);

  expect(major > 5 || (major === 5 && minor >= 3), version).toBe(true);
});

test("OPS-08: every image is pinned by digest", () => {
  const files = ["server/Dockerfile", "docker-compose.yml"].map((name) =>
    readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"),
  );
  const images = files.flatMap((text) => text.match(/(?<=^ARG NODE_IMAGE=|^ +image: ).+/gm) ?? []);

  expect(images).toHaveLength(3);
  for (const image of images) expect(image).toMatch(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  expect(new Set(files[0]?.match(/^FROM \S+/gm))).toEqual(new Set(["FROM ${NODE_IMAGE}"]));
});

test("OPS-08: every package is pinned by hash", () => {
  const unpinned = Object.entries(lockfile.packages).filter(
    ([path, { integrity }]) =>
      /(^|\/)node_modules\/(?!fettle-)/.test(path) && integrity === undefined,
  );

  expect(unpinned.map(([path]) => path)).toEqual([]);
});
