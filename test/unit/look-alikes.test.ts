import { describe, expect, test } from "vitest";
import { findResembledName } from "../../server/src/domain/oauth/resembled-names.js";
import { wellKnownClients } from "../../server/src/domain/oauth/well-known-clients.js";
import { toSkeleton } from "../../server/src/domain/shared/look-alikes.js";

const elsewhere = "https://client.example/callback";

describe("names similar to another app's", () => {
  test.each([
    ["case, spaces and punctuation", "F e t-t_l.E"],
    ["Cyrillic", "F\u0435ttl\u0435"],
    ["Greek", "Fe\u03C4\u03C4l\u03B5"],
    ["digits", "f3771e"],
    ["a capital I", "FettIe"],
    ["full width", "\uFF26\uFF45\uFF54\uFF54\uFF4C\uFF45"],
    ["mathematical letters", "\u{1D405}\u{1D41E}\u{1D42D}\u{1D42D}\u{1D425}\u{1D41E}"],
    ["marks", "Fe\u0301tt\u0142e\u0323"],
    ["small capitals", "F\u1D07\u1D1B\u1D1B\u029F\u1D07"],
    ["hooks", "\u0191ett\u019Ae"],
    ["signs of currencies", "\u20A3ettle"],
    ["Lisu", "\uA4DD\uA4F0\uA4D4\uA4D4\uA4E1\uA4F0"],
    ["more words", "The official Fettle app"],
    ["an emoji", "\u2705 Fettle \u2705"],
  ])("NAM-01: %s: flags %j as resembling Fettle for any redirect address", (_what, name) => {
    expect(findResembledName(name, elsewhere)).toBe("Fettle");
    expect(findResembledName(name, "http://127.0.0.1:4000/callback")).toBe("Fettle");
  });

  test.each([
    ["Claude", "Claude"],
    ["C1aude", "Claude"],
    ["Claude\u2122", "Claude"],
    ["\u0421laud\u0435", "Claude"],
    ["CIAUDE code", "Claude"],
    ["ChatGP\u0422", "ChatGPT"],
    ["Gerninl", "Gemini"],
    ["Cur\u0455or", "Cursor"],
    ["VSCode", "Visual Studio Code"],
    ["vvindsurf", "Windsurf"],
    ["\u2CA4laude", "Claude"],
    ["\u{10415}laude", "Claude"],
    ["C\u16C1aude", "Claude"],
    ["C\u2223aude", "Claude"],
    ["C\u0627aude", "Claude"],
    ["C\u05D5aude", "Claude"],
    ["\u023Blau\u0257e", "Claude"],
    ["\u1455\u2CD0aude", "Claude"],
    ["Curso\u027C", "Cursor"],
    ["C\u028Brsor", "Cursor"],
    ["\u0193emini", "Gemini"],
    ["Cl\u237Aud\u212E", "Claude"],
    ["\u{1F172}\u{1F17B}\u{1F150}\u{1F184}\u{1F153}\u{1F154}", "Claude"],
    ["github co-pilot", "Copilot"],
  ])("NAM-01: flags %j from another host as resembling %s", (name, resembled) => {
    expect(findResembledName(name, elsewhere)).toBe(resembled);
    expect(findResembledName(name, "http://localhost:4000/callback")).toBe(resembled);
  });

  test("NAM-01: accepts a known name with its own redirect host or scheme", () => {
    expect(findResembledName("Claude", "https://claude.ai/api/mcp/auth_callback")).toBeUndefined();
    expect(findResembledName("Cursor", "cursor://anysphere.cursor-mcp/callback")).toBeUndefined();
    for (const near of [
      "https://claude.ai.evil.example/cb",
      "https://evil.claude.ai/cb",
      "https://claude.ai:8443/cb",
      "https://chatgpt.com/cb",
    ]) {
      expect(findResembledName("Claude", near), near).toBe("Claude");
    }
  });

  test.each([
    "Test app",
    "Claudette",
    "Cursory",
    "Zeal",
    "\u041F\u043B\u0430\u043D",
    "\u5DE5\u5177",
    "",
    "!!",
  ])("NAM-01: %j resembles no known name", (name) => {
    expect(findResembledName(name, elsewhere)).toBeUndefined();
  });

  test("NAM-01: every known name is visible and belongs to one client", () => {
    const all = wellKnownClients.flatMap(({ names }) => [...new Set(names.map(toSkeleton))]);

    expect(all).not.toContain("");
    expect(new Set(all).size).toBe(all.length);
  });
});
