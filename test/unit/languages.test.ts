import { readdirSync, readFileSync } from "node:fs";
import { IntlMessageFormat } from "intl-messageformat";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { dateFormat, maxFormats } from "../../server/src/language/formats.js";
import { commonTexts } from "../../server/src/domain/shared/common-texts.js";
import { german } from "../../server/src/language/german/catalogue.js";
import { currentLocale, inLocale, negotiateLocale } from "../../server/src/language/locale.js";
import { t, tRich, translated } from "../../server/src/language/translate.js";
import { countOf, formatDay, formatMoney } from "../../server/src/web/text/format.js";

const sources = "server/src";
const catalogues = `${sources}/language/german`;

/** Every text that stands between quotes in a file. */
function findTexts(path: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest));
  return texts;
}

interface Part {
  type: number;
  value?: string;
  options?: Record<string, { value: Part[] }>;
  children?: Part[];
}

/** The names that a message asks values for; those of elements end with ">". */
function findNames(parts: readonly Part[]): string[] {
  const names = parts.flatMap(({ type, value = "", options = {}, children = [] }) => [
    ...(type === 0 || type === 7 ? [] : [type === 8 ? `${value}>` : value]),
    ...Object.values(options).flatMap((option) => findNames(option.value)),
    ...findNames(children),
  ]);
  return [...new Set(names)].toSorted();
}

const namesOf = (message: string, locale: string) =>
  findNames(new IntlMessageFormat(message.replace(/\|\|.*$/s, ""), locale).getAst());

describe("the German catalogue", () => {
  test("asks for the values and elements that the English texts have", () => {
    const wrong = Object.entries<string>(german).filter(
      ([english, text]) =>
        text.trim() === "" ||
        JSON.stringify(namesOf(english, "en")) !== JSON.stringify(namesOf(text, "de")),
    );
    expect(wrong).toEqual([]);
  });

  test("has what is refused alike to everybody", () => {
    const texts = Object.values(commonTexts).filter((text) => typeof text === "string");
    expect(texts.filter((text) => !Object.hasOwn(german, text))).toEqual([]);
  });

  test("has each text once, and none that nobody says", () => {
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("language/german"))
      .flatMap((name) => findTexts(`${sources}/${name}`));
    const said = new Set(files);
    const unused = Object.keys(german).filter((text) => !said.has(text));
    expect(unused).toEqual([]);
    const keys = readdirSync(catalogues)
      .filter((name) => name.endsWith(".ts") && name !== "catalogue.ts")
      .flatMap((name) => findKeys(`${catalogues}/${name}`));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });
});

function findKeys(path: string): string[] {
  const keys: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && "text" in node.name) keys.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest));
  return keys;
}

describe("a text", () => {
  test("is in the language in which it is asked for, also later on", async () => {
    expect(t("Settings")).toBe("Settings");
    const later = await inLocale("de-DE", async () => {
      await Promise.resolve();
      return t("Settings");
    });
    expect(later).toBe("Einstellungen");
    expect(currentLocale()).toBe("en-GB");
  });

  test("keeps what tells its meaning from readers", () => {
    expect(t("Completed||when")).toBe("Completed");
    expect(inLocale("de-DE", () => t("Completed||when"))).toBe("Erledigt am");
  });

  test("counts as its language does", () => {
    expect([1, 2, 1200].map((count) => countOf(count, "asset"))).toEqual([
      "1 asset",
      "2 assets",
      "1,200 assets",
    ]);
    const counted = inLocale("de-DE", () => [1, 1200].map((count) => countOf(count, "asset")));
    expect(counted).toEqual(["1 Anlage", "1.200 Anlagen"]);
  });

  test("may have elements in it", () => {
    const b = (words: unknown[]) => `*${words.join("")}*`;
    const parts = tRich("<b>{field}</b> is now: {value}", { field: "Name", value: "<x>", b });
    expect(parts.join("")).toBe("*Name* is now: <x>");
  });

  test("of a record is read when it is looked at", () => {
    const labels = translated({ settings: "Settings" });
    expect(labels.settings).toBe("Settings");
    expect(inLocale("de-DE", () => ({ ...labels }))).toEqual({ settings: "Einstellungen" });
  });

  test("has days and amounts as the country writes them", () => {
    const write = () => [formatDay("2026-11-02"), formatMoney(1249.9, "EUR").replace(/\s/, " ")];
    expect(write()).toEqual(["2 Nov 2026", "€1,249.90"]);
    expect(inLocale("de-DE", write)).toEqual(["2. Nov. 2026", "1.249,90 €"]);
    expect(inLocale("en-US", write)[0]).toBe("Nov 2, 2026");
  });
});

test("formats are kept up to a ceiling, the ones in use before others", () => {
  const zones = Intl.supportedValuesOf("timeZone").slice(0, maxFormats + 1);
  const [first = "", second = ""] = zones;
  const formatOf = (timeZone: string) => dateFormat({ dateStyle: "full", timeZone });
  const [forgotten, used] = [formatOf(first), formatOf(second)];
  for (const zone of zones.slice(2)) {
    formatOf(zone);
    formatOf(second);
  }
  expect(formatOf(second)).toBe(used);
  expect(formatOf(first)).not.toBe(forgotten);
});

test("browsers get the first of their languages that there is", () => {
  const among = ["en-GB", "en-US", "de-DE", "de-AT", "de-CH"] as const;
  const negotiate = (header: string) => negotiateLocale(header, among);
  expect(negotiateLocale(undefined, among)).toBe("en-GB");
  expect(negotiate("de-AT,de;q=0.9,en;q=0.8")).toBe("de-AT");
  expect(negotiate("de")).toBe("de-DE");
  expect(negotiate("fr, de-CH;q=0.3, en-US;q=0.7")).toBe("en-US");
  expect(negotiate("de;q=0, en")).toBe("en-GB");
  expect(negotiate("xx,;q=,de;q=z")).toBe("en-GB");
});
