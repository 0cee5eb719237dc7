import { describe, expect, test } from "vitest";
import { withoutLinks } from "../../server/src/domain/shared/links.js";

describe("words and names in emails", () => {
  test.each([
    ["See https://evil.example/a?b=c now", "See […] now"],
    ["evil.example", "[…]"],
    ["Write to eve@evil.example.", "Write to […]."],
    ["www.evil.example:8080/x", "[…]"],
    ["pay at 203.0.113.7/pay", "pay at […]"],
    ["or at 203.0.113.7:8080", "or at […]"],
    [String.raw`open \\evil\share\a.exe today`, "open […] today"],
    ["sms:+4912345 and tel:+49123", "[…] and […]"],
    ["ｅｖｉｌ．ｅｘａｍｐｌｅ／x!", "[…]"],
    ["evil。example ok", "[…] ok"],
    ["डोमेन.भारत ok", "[…] ok"],
    ["💩.la or i❤️.ws/x", "[…] or […]"],
    ["evil｡example ok", "[…] ok"],
    ["ｈｔｔｐｓ：／／evil", "[…]"],
    ["𝐞𝐯𝐢𝐥.𝐞𝐱𝐚𝐦𝐩𝐥𝐞", "[…]"],
  ])("turns %j into %j", (given, left) => {
    expect(withoutLinks(given)).toBe(left);
  });

  test.each([
    "Fettle & Sons, Inc.",
    "St. Mary's, No. 7",
    "J. Smith",
    "J.R.R. Tolkien",
    "Version 1.2.3.4 of ½ ﬁlter ™",
    "10.0.0.7 is the pump's address",
    "ようこそ。こんにちは。",
    "Ｆｕｌｌ ｗｉｄｔｈ",
    "C:\\Temp and and/or 3:4",
    "👩‍🔧 team",
  ])("keeps %j unchanged", (given) => {
    expect(withoutLinks(given)).toBe(given);
  });

  test("never get longer", () => {
    for (const given of ["㏇㏇", "⒈ab", "a.bc", "㏂ab", "㏇㏇".repeat(250)]) {
      expect(withoutLinks(given).length).toBeLessThanOrEqual(given.length);
      expect(withoutLinks(given)).not.toBe(given);
    }
  });
});
