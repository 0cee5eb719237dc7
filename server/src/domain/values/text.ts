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
 * Zero-width and bidirectional override characters: they make two texts look alike, or one text look
 * like another. The joiners U+200C and U+200D stay, scripts and emoji need them between characters.
 */
const invisible =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/u;
const strayJoiner =
  /^[\u200C\u200D]|[\u200C\u200D]$|[\u200C\u200D]{2}|[\u0020-\u007E][\u200C\u200D]|[\u200C\u200D][\u0020-\u007E]/u;

/** Half of a surrogate pair, which no database can store. */
const loneSurrogate = /\p{Surrogate}/u;

/** More marks on one letter than any script has; sorting the marks of a pile takes quadratic time. */
const pile = /\p{M}{31}/u;

/** One character takes at most this many code units in any spelling. */
export const maxSpelling = 4;

const maxNormalized = 50_000;

/** No address is nearly as long; what is longer belongs to nobody. */
export const maxGivenEmail = 1000;

/** Unicode NFC. Texts too long for anything here, and piles of marks, stay as they are. */
export function toNfc(text: string, longest = maxNormalized): string {
  return text.length > longest || pile.test(text) ? text : text.normalize("NFC");
}

/** The text as it is stored: trimmed, Unicode NFC, line breaks as "\n". Refuses what may not be in it. */
export function cleanText(value: string, rule: TextRule): string {
  const given = value.replace(/\r\n?/g, "\n").trim();
  const text = toNfc(given, maxSpelling * rule.max);
  const problem = findForbidden(text, rule.multiline ?? false) ?? findWrongLength(text, rule);
  if (problem === undefined) return text;
  const { field, label = field } = rule;
  throw new AppError("validation_failed", `Validation failed: ${label} ${problem}.`, { field });
}

/** Why something was done, as the history keeps it. */
export function cleanNote(note: string | undefined): string | undefined {
  return note === undefined
    ? undefined
    : cleanText(note, { field: "note", max: 1000, multiline: true });
}

function findForbidden(text: string, multiline: boolean): string | undefined {
  if (loneSurrogate.test(text)) return "must not contain broken characters";
  if (multiline && controlExceptBreaks.test(text)) return "must not contain control characters";
  if (!multiline && control.test(text)) return "must be one line without control characters";
  if (invisible.test(text) || strayJoiner.test(text)) {
    return "must not contain invisible characters";
  }
  if (pile.test(text)) return "must not have more than 30 marks on one letter";
  return undefined;
}

function findWrongLength(text: string, { min = 1, max }: TextRule): string | undefined {
  // Code points, as PostgreSQL's char_length counts them.
  const length = Array.from(text).length;
  if (length > max) return `must have at most ${max} characters`;
  if (length >= min) return undefined;
  return min === 1 ? "must not be empty" : `must have at least ${min} characters`;
}
