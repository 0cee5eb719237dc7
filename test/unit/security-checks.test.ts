import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Subject and number of the checks in each area. Titles of tests contain the id of each check. */
const areas = {
  REG: { about: "Registration of apps", count: 25 },
  META: { about: "Discovery documents", count: 10 },
  AUT: { about: "Authorization requests", count: 32 },
  CON: { about: "Consent", count: 25 },
  LOG: { about: "Sign-in, sessions and the log", count: 19 },
  TOK: { about: "Exchange of codes", count: 25 },
  RFR: { about: "Refresh", count: 22 },
  REV: { about: "Revocation by an app", count: 8 },
  MCP: { about: "Calls at /mcp", count: 19 },
  SET: { about: "Connected Apps", count: 10 },
  CIMD: { about: "Apps known by a metadata document", count: 14 },
  OPS: { about: "Operation", count: 10 },
  RVK: { about: "A revoked person stops", count: 22 },
  LIM: { about: "Limits, time-outs and noisy neighbours", count: 99 },
  GRO: { about: "Growing data has limits", count: 14 },
  APP: { about: "Many connections", count: 2 },
  OUT: { about: "Truthful outcomes", count: 11 },
  CLK: { about: "Clocks", count: 2 },
  BRG: { about: "The bridge among strangers", count: 8 },
  MFA: { about: "Second factors", count: 20 },
  PKY: { about: "Passkeys", count: 13 },
  SSO: { about: "Sign-in with an identity provider", count: 22 },
  AUD: { about: "Audit", count: 21 },
  TEN: { about: "Isolation of organizations", count: 20 },
  FUZ: { about: "Random requests and races", count: 2 },
  CNF: { about: "Confirmation by the person", count: 5 },
  FRM: { about: "Forms", count: 1 },
  NAM: { about: "Names that resemble others", count: 1 },
  SCO: { about: "Scopes of a repeated refresh", count: 1 },
  EMB: { about: "Files of the embedded database", count: 1 },
} satisfies Record<string, { about: string; count: number }>;

const root = join(import.meta.dirname, "..");
const ids = new RegExp(`\\b(${Object.keys(areas).join("|")})-(\\d\\d)(?:\\.\\.(\\d\\d))?`, "g");

test("every security check has a test", () => {
  const named = findNamed();
  const all = Object.entries(areas).flatMap(([area, { count }]) =>
    Array.from({ length: count }, (_, index) => toId(area, index + 1)),
  );
  expect(all.filter((id) => !named.has(id))).toEqual([]);
});

/** The checks in titles of tests. `AUT-08..11` means four. */
function findNamed(): Set<string> {
  const found = new Set<string>();
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => /\.test\.tsx?$/.test(name))) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [, plain, template] of text.matchAll(/"([^"\n]*)"|`([^`\n]*)`/g)) {
      const title = plain ?? template ?? "";
      for (const [, area = "", first = "", last = first] of title.matchAll(ids)) {
        for (let number = Number(first); number <= Number(last); number += 1) {
          found.add(toId(area, number));
        }
      }
    }
  }
  return found;
}

function toId(area: string, number: number): string {
  return `${area}-${String(number).padStart(2, "0")}`;
}
