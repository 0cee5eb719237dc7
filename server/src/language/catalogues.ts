import { readFileSync } from "node:fs";
import { languages, type Language } from "./locale.js";
import type { Text } from "./texts.js";

type Catalogue = Record<Text, string>;

function read(language: Language): Partial<Catalogue> {
  const file = new URL(`texts/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Partial<Catalogue>;
}

const english = read("en") as Catalogue;

/** Fills missing texts in English. Translation tools write missing texts as empty strings. */
export function completed(texts: Partial<Catalogue>): Catalogue {
  const translated = Object.entries(texts).filter(([, text]) => text !== "");
  return { ...english, ...Object.fromEntries(translated) };
}

export const textsByLanguage = Object.fromEntries(
  languages.map((language) => [language, language === "en" ? english : completed(read(language))]),
) as Record<Language, Catalogue>;
