import { AppError } from "../../errors.js";

export interface TextRule {
  /** The argument or form field that an error points at. */
  field: string;
  /** What a person calls it; the field's name when left out. */
  label?: string;
  /** Longest length in characters (code points), after trimming. */
  max: number;
  /** Shortest length; 1 unless told, so an empty text is refused. */
  min?: number;
  /** Whether line breaks and tabs may be in it. */
  multiline?: boolean;
}

/** C0 and C1 controls, tabs and line breaks among them. */
const control = /\p{Cc}/u;
const controlExceptBreaks = /[^\P{Cc}\n\t]/u;

/**
 * What is not seen by itself, such as zero-width characters, fillers and bidirectional overrides: it makes
 * two texts look alike, one text look like another, or says to programs what no person reads. Joiners and
 * selectors stay where scripts and emoji need them.
 */
const invisible =
  /(?![\uFE00-\uFE0F\u{E0100}-\u{E011F}\u034F\u180B-\u180D\u180F\u200C\u200D])\p{DI}|[\u2028\u2029\uFFF9-\uFFFB]/u;
const strayJoiner =
  /^[\u034F\u200C\u200D]|[\u034F\u200C\u200D]$|[\u034F\u200C\u200D]{2}|[\u0020-\u007E][\u034F\u200C\u200D]|[\u034F\u200C\u200D][\u0020-\u007E]/u;

/** A selector says how the one character before it is drawn; in ASCII only those of keycaps have one. */
const straySelector =
  /(?:^|[\p{M}\u200C\u200D]|(?![0-9#*][\uFE0E\uFE0F]\u20E3)\p{ASCII})[\u180B-\u180D\u180F\uFE00-\uFE0F\u{E0100}-\u{E011F}]/u;

/** Drawn as nothing, without being a space to anybody: of Braille where no sign of it is beside, and of music. */
const strayBlank = /(?<![\u2801-\u28FF])\u2800|\u2800(?![\u2801-\u28FF])|\u{1D159}/u;

/** Half of a surrogate pair, which no database can store. */
const loneSurrogate = /\p{Surrogate}/u;

/** Whether the database can store it at all, whatever it is for. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && !loneSurrogate.test(text);
}

/** More marks on one letter than any script has; sorting the marks of a pile takes quadratic time. */
const pile = /\p{M}{31}/u;

/** One character takes at most this many code units in any spelling. */
export const maxSpelling = 4;

const maxNormalized = 50_000;

/** No address is nearly as long; what is longer belongs to nobody. */
export const maxGivenEmail = 1000;

/** Unicode NFC. Texts too long for anything here, and piles of marks, stay as they are. */
export function toNfc(text: string, max = maxNormalized): string {
  return toForm("NFC", text, max);
}

/** The same for what is only compared: other widths and forms of a character become the usual one. */
export function toNfkc(text: string): string {
  return toForm("NFKC", text, maxNormalized);
}

function toForm(form: "NFC" | "NFKC", text: string, max: number): string {
  return text.length > max || pile.test(text) ? text : text.normalize(form);
}

const marks = /\p{M}/gu;

/** Letters in their usual form, without accents and other marks. */
export function withoutMarks(text: string): string {
  // Also before, as they may be piled up.
  return text.replace(marks, "").normalize("NFKD").replace(marks, "");
}

/** The text as it is stored: trimmed, Unicode NFC, line breaks as "\n". Refuses what may not be in it. */
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

/** Why something was done, as the history keeps it. */
export function cleanNote(note: string | undefined): string | undefined {
  return note === undefined
    ? undefined
    : cleanText(note, { field: "note", max: 1000, multiline: true });
}

/** What no text may have in it, whatever it is for. */
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
