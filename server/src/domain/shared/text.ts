import { AppError } from "../../errors.js";

export interface TextRule {
  /** The argument or form field for errors. */
  field: string;
  /** The person's name for it. Defaults to the field's name. */
  label?: string;
  /** Maximum length in characters (code points), after trimming. */
  max: number;
  /** Minimum length. Defaults to 1, so empty texts are rejected. */
  min?: number;
  multiline?: boolean;
}

/** C0 and C1 controls, including tabs and line breaks. */
const control = /\p{Cc}/u;
const controlExceptBreaks = /[^\P{Cc}\n\t]/u;

/**
 * Invisible characters, such as zero-width characters, fillers and bidirectional overrides. They
 * make different texts look equal, or hide content from people but not from programs. Joiners and
 * selectors are allowed where scripts and emoji need them.
 */
const invisible =
  /(?![\uFE00-\uFE0F\u{E0100}-\u{E011F}\u034F\u180B-\u180D\u180F\u200C\u200D])\p{DI}|[\u2028\u2029\uFFF9-\uFFFB]/u;
const strayJoiner =
  /^[\u034F\u200C\u200D]|[\u034F\u200C\u200D]$|[\u034F\u200C\u200D]{2}|[\u0020-\u007E][\u034F\u200C\u200D]|[\u034F\u200C\u200D][\u0020-\u007E]/u;

/**
 * A variation selector applies to the one preceding character. In ASCII, only keycaps have
 * selectors.
 */
const straySelector =
  /(?:^|[\p{M}\u200C\u200D]|(?![0-9#*][\uFE0E\uFE0F]\u20E3)\p{ASCII})[\u180B-\u180D\u180F\uFE00-\uFE0F\u{E0100}-\u{E011F}]/u;

/**
 * Blank characters that people don't see as spaces: a Braille blank without Braille beside it, and
 * one of musical notation.
 */
const strayBlank = /(?<![\u2801-\u28FF])\u2800|\u2800(?![\u2801-\u28FF])|\u{1D159}/u;

/** An unpaired surrogate, which databases can't store. */
const loneSurrogate = /\p{Surrogate}/u;

export function isStorable(text: string): boolean {
  return !text.includes("\0") && !loneSurrogate.test(text);
}

/** More marks on one letter than any script has. Sorting many marks takes quadratic time. */
const pile = /\p{M}{31}/u;

/** Maximum number of code units per character in any spelling. */
export const maxSpelling = 4;

const maxNormalized = 50_000;

/** Far longer than any email address. */
export const maxGivenEmail = 1000;

/** Unicode NFC. Overlong texts and piles of marks stay unchanged. */
export function toNfc(text: string, max = maxNormalized): string {
  return toForm("NFC", text, max);
}

/** Unicode NFKC, for comparison only. Widths and forms of a character become the usual one. */
export function toNfkc(text: string): string {
  return toForm("NFKC", text, maxNormalized);
}

function toForm(form: "NFC" | "NFKC", text: string, max: number): string {
  return text.length > max || pile.test(text) ? text : text.normalize(form);
}

const marks = /\p{M}/gu;

/** Letters without accents and other marks. */
export function withoutMarks(text: string): string {
  // Also before, because marks may be piled up.
  return text.replace(marks, "").normalize("NFKD").replace(marks, "");
}

/** Validates a text and returns its stored form: trimmed, Unicode NFC, line breaks as "\n". */
export function cleanText(value: string, rule: TextRule): string {
  const given = value.replace(/\r\n?/g, "\n").trim();
  const text = toNfc(given, maxSpelling * rule.max);
  const problem = findForbidden(text, rule.multiline) ?? findWrongLength(text, rule);
  if (problem === undefined) return text;
  const { field, label } = rule;
  throw new AppError("validation_failed", problem.key, { ...problem, field, label });
}

type Problem =
  | {
      key:
        | "broken_characters"
        | "control_characters"
        | "not_one_line"
        | "invisible_characters"
        | "piled_marks"
        | "empty";
    }
  | { key: "too_long"; max: number }
  | { key: "too_short"; min: number };

export function cleanNote(note: string | undefined): string | undefined {
  return note === undefined
    ? undefined
    : cleanText(note, { field: "note", max: 1000, multiline: true });
}

export function findForbidden(text: string, multiline = false): Problem | undefined {
  if (loneSurrogate.test(text)) return { key: "broken_characters" };
  if (multiline && controlExceptBreaks.test(text)) return { key: "control_characters" };
  if (!multiline && control.test(text)) return { key: "not_one_line" };
  const unseen = [invisible, strayJoiner, straySelector, strayBlank];
  if (unseen.some((one) => one.test(text))) return { key: "invisible_characters" };
  return pile.test(text) ? { key: "piled_marks" } : undefined;
}

function findWrongLength(text: string, { min = 1, max }: TextRule): Problem | undefined {
  // Code points, as PostgreSQL's char_length counts them.
  const length = Array.from(text).length;
  if (length > max) return { key: "too_long", max };
  if (length >= min) return undefined;
  return min === 1 ? { key: "empty" } : { key: "too_short", min };
}
