import { IntlMessageFormat } from "intl-messageformat";
import { afterAll, beforeAll } from "vitest";
import { textsByLanguage } from "../../server/src/language/catalogues.js";
import { inLocale } from "../../server/src/language/locale.js";
import { dateFormat, relativeFormat } from "../../server/src/language/formats.js";

/** Marks around a German sentence and around each value in it. */
const marks = { "⟦": "sentence", "⟧": "", "⟨": "value", "⟩": "" } as const;
const mark = /[⟦⟧⟨⟩]/;

/** Names of a message's values. Counted numbers are formatted by the sentence. */
function valuesOf(message: string): string[] {
  const find = (parts: readonly Part[]): string[] =>
    parts.flatMap(({ type, value = "", options = {}, children = [] }) => [
      ...(type === 1 ? [value] : []),
      ...Object.values(options).flatMap((option) => find(option.value)),
      ...find(children),
    ]);
  return find(new IntlMessageFormat(message.replace(/\|\|.*$/s, ""), "en").getAst());
}

interface Part {
  type: number;
  value?: string;
  options?: Record<string, { value: Part[] }>;
  children?: Part[];
}

function markText([english, text]: [string, string]): [string, string] {
  const names = valuesOf(english).join("|");
  const value = new RegExp(`(?<!(?:one|other|=\\d+) )\\{(?:${names})\\}`, "g");
  return [english, `⟦${names === "" ? text : text.replaceAll(value, "⟨$&⟩")}⟧`];
}

/**
 * Puts German sentences between marks during the tests of a file. Text outside the marks bypassed
 * the catalog.
 */
export function useMarkedGerman(): void {
  const german = textsByLanguage.de;
  const own: Record<string, string> = { ...german };
  beforeAll(() => {
    Object.assign(german, Object.fromEntries(Object.entries(own).map(markText)));
  });
  afterAll(() => {
    Object.assign(german, own);
  });
}

const functionWords =
  /(?<![\p{L}-])(?:the|of|and|is|are|you|your|with|this|that|for|from|not|have|to|by|what)(?![\p{L}-])/iu;

/** Texts produced by date and list formats. */
const written = inLocale("de-DE", () => {
  const days = Array.from({ length: 366 }, (_, day) => new Date(Date.UTC(2026, 0, day)));
  const styles = (["long", "short"] as const).flatMap(
    (month) =>
      [
        { month, weekday: month },
        { month, day: "numeric" },
      ] as const,
  );
  const dates = styles.flatMap((style) => days.map((day) => dateFormat(style).format(day)));
  const units = ["day", "hour", "minute", "month", "week", "year"] as const;
  const relative = units.flatMap((unit) =>
    [-9, -2, -1, 0, 1, 2, 9].map((count) =>
      relativeFormat({ numeric: "auto" }).format(count, unit),
    ),
  );
  return new Set([...dates, ...relative].flatMap((text) => text.match(/\p{L}+/gu) ?? []));
});

/**
 * Words that are correct in German too: product and form names, units, and words that join lists
 * and times.
 */
const alike = new Set(
  `Fettle CSV Excel JSON PDF SVG PNG UTC EUR CHF USD MB KB min und um Uhr bis h s km Markdown ICS MCP VS lightMyRequest
  Claude Code ChatGPT Cursor Desktop npx fettle bridge Firefox Windows English United States Deutsch Français
  Österreich Schweiz URL DNS TXT OpenID Connect`.split(/\s+/),
);

/** Names in long lists: currencies, and IANA time zones. */
const listed =
  /^[A-Z]{3} – .*|^\{\w+\}$|\b(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/.*/;

export interface Leftover {
  where: string;
  text: string;
}

const token = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>|<[!?][^>]*>|[^<]+/g;
const empty = /^(?:area|base|br|col|hr|img|input|link|meta|source|wbr)$/;
/** Elements with scripts, verbatim text or typed input. */
const verbatim = /^(?:script|style|textarea|code|pre|kbd)$/;
const spoken = /^(?:aria-label|title|placeholder|alt|data-(?!(?:initials|public-key)$).*)$/;
/** Attributes for scripts are not sentences. */
const isForScripts = (key: string, value: string) =>
  key.startsWith("data-") && /^(?:[a-z-]+|[A-Z]{3}|[[{/].*)$/.test(value);

/**
 * Finds texts, spoken attributes and button labels that are neither German sentences nor `known`
 * words.
 */
export function findUntranslated(html: string, known: readonly string[]): Leftover[] {
  const names = new Set([...known, ...alike, ...written]);
  const found: Leftover[] = [];
  const open: { name: string; isVerbatim: boolean }[] = [];
  const texts = new Reader(names);
  for (const [whole, end, name = "", attributes = ""] of html.matchAll(token)) {
    const place = open.at(-1);
    if (name !== "") {
      found.push(...findInAttributes(name, attributes, names));
      if (end === "/") open.splice(open.findLastIndex((one) => one.name === name));
      else if (!empty.test(name))
        open.push({ name, isVerbatim: isVerbatim(place, name, attributes) });
    } else if (!whole.startsWith("<") && place?.isVerbatim === false) {
      for (const text of texts.read(decode(whole))) found.push({ where: place.name, text });
    }
  }
  return found;
}

function isVerbatim(place: { isVerbatim: boolean } | undefined, name: string, attributes: string) {
  const isOther = verbatim.test(name) || (name !== "html" && /\slang=/.test(attributes));
  return place?.isVerbatim === true || isOther;
}

function findInAttributes(name: string, attributes: string, names: Set<string>): Leftover[] {
  const isButton = name === "input" && /\stype="(?:submit|button)"/.test(attributes);
  return [...attributes.matchAll(/\s([^\s=>/]+)="([^"]*)"/g)]
    .filter(([, key = ""]) => spoken.test(key) || (isButton && key === "value"))
    .filter(([, key = "", value = ""]) => !isForScripts(key, value))
    .flatMap(([, key = "", value = ""]) =>
      new Reader(names).read(decode(value)).map((text) => ({ where: `${name}[${key}]`, text })),
    );
}

/** Reads texts in page order: a sentence may begin in one element and end in another. */
class Reader {
  readonly #within: string[] = [];
  readonly #names: ReadonlySet<string>;

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  read(text: string): string[] {
    const found: string[] = [];
    for (const piece of text.split(/([⟦⟧⟨⟩])/)) {
      if (mark.test(piece)) {
        const opened = marks[piece as keyof typeof marks];
        if (opened === "") this.#within.pop();
        else this.#within.push(opened);
      } else if (this.#within.at(-1) === "sentence") {
        if (functionWords.test(piece)) found.push(`English: ${piece}`);
      } else if (this.#hasWords(piece)) {
        found.push(piece.trim());
      }
    }
    return found;
  }

  #hasWords(text: string): boolean {
    const words = text
      .replace(listed, "")
      .replaceAll(
        /https?:\/\/\S+|[\w.+-]+@[\w.-]+|\b[a-z]{3}_\w+|\b[TR]-\d+|[\w-]+\.(?:csv|jpg|txt|example|com)\b/gi,
        "",
      )
      .match(/\p{L}{2,}/gu);
    return (words ?? []).some((word) => !this.#names.has(word));
  }
}

function decode(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
