import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { IntlMessageFormat } from "intl-messageformat";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { dateFormat, maxFormats } from "../../server/src/language/formats.js";
import { commonTexts } from "../../server/src/domain/shared/common-texts.js";
import { completed } from "../../server/src/language/catalogues.js";
import {
  currentLocale,
  inLocale,
  languages,
  negotiateLocale,
} from "../../server/src/language/locale.js";
import { t, tRich, translated } from "../../server/src/language/translate.js";
import { countOf, formatDay, formatMoney, withColon } from "../../server/src/web/text/format.js";

const sources = "server/src";
const catalogues = `${sources}/language/texts`;

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

/** Names of the values in a message. Element names end with ">". */
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

/** Keys in the order of translation tools, each once. `-u` updates the file. */
function toFile(texts: Record<string, string>): string {
  const sorted = Object.entries(texts).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

const pathOf = (language: string) => `${catalogues}/${language}.json`;
const read = (language: string) =>
  JSON.parse(readFileSync(pathOf(language), "utf8")) as Record<string, string>;

const english = read("en");

test("each language has a text file, and each file a locale", () => {
  const files = readdirSync(catalogues).filter((name) => name.endsWith(".json"));
  expect(files).toEqual(languages.map((language) => `${language}.json`).toSorted());
});

describe.each(languages)("texts in %s", (language) => {
  const texts = read(language);
  const translated = Object.entries(texts).filter(([, text]) => text !== "");

  test("are sorted and unique", async () => {
    await expect(toFile(texts)).toMatchFileSnapshot(`../../${pathOf(language)}`);
  });

  test("are all used", () => {
    expect(Object.keys(texts).filter((key) => !Object.hasOwn(english, key))).toEqual([]);
  });

  test("are complete", () => {
    expect(Object.keys(english).filter((key) => (texts[key] ?? "") === "")).toEqual([]);
  });

  test("use the values and elements of their keys", () => {
    const wrong = translated.filter(
      ([key, text]) =>
        text.trim() === "" ||
        JSON.stringify(namesOf(key, "en")) !== JSON.stringify(namesOf(text, language)),
    );
    expect(wrong).toEqual([]);
  });
});

test("missing translations fall back to English", () => {
  const texts = completed({ Save: "Enregistrer", Settings: "" });
  expect(texts).toMatchObject({ Save: "Enregistrer", Settings: "Settings", Cancel: "Cancel" });
});

test("the report counts the texts of each language and lists missing ones", () => {
  const count = Object.keys(english).length;
  const report = execFileSync(process.execPath, ["server/i18n-report.mjs"], { encoding: "utf8" });
  expect(report).toContain(`de.json: ${count} of ${count} texts, 0 missing\n`);
});

describe("English texts", () => {
  test("include the common refusals", () => {
    const texts = Object.values(commonTexts).filter((text) => typeof text === "string");
    expect(texts.filter((text) => !Object.hasOwn(english, text))).toEqual([]);
  });

  test("include no unused text", () => {
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => findTexts(`${sources}/${name}`));
    const said = new Set(files);
    expect(Object.keys(english).filter((text) => !said.has(text))).toEqual([]);
  });
});

describe("translated text", () => {
  test("uses the current language, even in later asynchronous code", async () => {
    expect(t("Settings")).toBe("Settings");
    const later = await inLocale("de-DE", async () => {
      await Promise.resolve();
      return t("Settings");
    });
    expect(later).toBe("Einstellungen");
    expect(currentLocale()).toBe("en-GB");
  });

  test("hides its disambiguation from readers", () => {
    expect(t("Completed||when")).toBe("Completed");
    expect(inLocale("de-DE", () => t("Completed||when"))).toBe("Erledigt am");
  });

  test("follows the plural rules of its language", () => {
    expect([1, 2, 1200].map((count) => countOf(count, "asset"))).toEqual([
      "1 asset",
      "2 assets",
      "1,200 assets",
    ]);
    const counted = inLocale("de-DE", () => [1, 1200].map((count) => countOf(count, "asset")));
    expect(counted).toEqual(["1 Anlage", "1.200 Anlagen"]);
    const french = inLocale("fr-FR", () => [0, 2, 1200].map((count) => countOf(count, "asset")));
    expect(french).toEqual(["0 équipement", "2 équipements", "1\u202f200 équipements"]);
  });

  test("may contain elements", () => {
    const b = (words: unknown[]) => `*${words.join("")}*`;
    const parts = tRich("<b>{field}</b> is now: {value}", { field: "Name", value: "<x>", b });
    expect(parts.join("")).toBe("*Name* is now: <x>");
  });

  test("in a record is translated when it is read", () => {
    const labels = translated({ settings: "Settings" });
    expect(labels.settings).toBe("Settings");
    expect(inLocale("de-DE", () => ({ ...labels }))).toEqual({ settings: "Einstellungen" });
  });

  test("formats dates and amounts for the country", () => {
    const write = () => [
      formatDay("2026-11-02"),
      formatMoney(1249.9, "EUR").replaceAll(/\s/g, " "),
    ];
    expect(write()).toEqual(["2 Nov 2026", "€1,249.90"]);
    expect(inLocale("de-DE", write)).toEqual(["2. Nov. 2026", "1.249,90 €"]);
    expect(inLocale("fr-FR", write)).toEqual(["2 nov. 2026", "1 249,90 €"]);
    expect(inLocale("en-US", write)[0]).toBe("Nov 2, 2026");
  });
});

test("caches formats up to a limit and keeps those in use", () => {
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

test("a label before a value uses its language's colon", () => {
  expect(withColon("State")).toBe("State:");
  expect(inLocale("fr-FR", () => withColon("Statut"))).toBe("Statut\u00a0:");
});

test("browsers get their first available language", () => {
  const among = ["en-GB", "en-US", "de-DE", "de-AT", "de-CH"] as const;
  const negotiate = (header: string) => negotiateLocale(header, among);
  expect(negotiateLocale(undefined, among)).toBe("en-GB");
  expect(negotiate("de-AT,de;q=0.9,en;q=0.8")).toBe("de-AT");
  expect(negotiate("de")).toBe("de-DE");
  expect(negotiate("xx, de-CH;q=0.3, en-US;q=0.7")).toBe("en-US");
  expect(negotiate("de;q=0, en")).toBe("en-GB");
  expect(negotiate("xx,;q=,de;q=z")).toBe("en-GB");
  expect(negotiateLocale("fr-CA,fr;q=0.9,en;q=0.8")).toBe("fr-FR");
});
