import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../server/src/domain/shared/canonical-json.js";
import { useDatabase } from "../../support/database.js";

describe("canonical JSON", () => {
  const db = useDatabase();

  test("sorts keys by UTF-16 code units, as shown in RFC 8785", () => {
    const value = {
      ...{ "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 },
      ...{ "10": 8, "2": 9, "-1": 10, a: undefined },
    };
    expect(canonicalJson(value)).toBe(
      '{"\\r":2,"-1":10,"1":4,"10":8,"2":9,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
    );
    expect(canonicalJson([new Date(0), undefined, { a: [null, true, "\u2028"] }])).toBe(
      '["1970-01-01T00:00:00.000Z",null,{"a":[null,true,"\u2028"]}]',
    );
  });

  // The names and numbers of the log: no surrogates, which UTF-8 sorts differently, and no NUL.
  const text = fc.string({
    unit: fc.integer({ min: 1, max: 0xd7ff }).map((code) => String.fromCharCode(code)),
  });
  const key = fc.oneof(
    text,
    fc.integer().map(String),
    fc.nat(200).map(String),
    fc.constantFrom("__proto__", "toString"),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(text, fc.maxSafeInteger(), fc.boolean(), fc.constant(null)),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(key, tie("value"), { maxKeys: 6 }),
    ),
  }));

  test("produces the same text as the database and preserves the value", async () => {
    await fc.assert(
      fc.asyncProperty(value, async (one) => {
        const row = await db().maybe<{ text: string }>("SELECT canonical_json($1::jsonb) AS text", [
          JSON.stringify(one),
        ]);
        expect(canonicalJson(one)).toBe(row?.text);
        expect(JSON.parse(canonicalJson(one))).toEqual(JSON.parse(JSON.stringify(one)));
      }),
      { numRuns: 300 },
    );
  });
});
