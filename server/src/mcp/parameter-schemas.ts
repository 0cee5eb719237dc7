import { z } from "zod";
import { maxComment } from "../domain/comments/change-comments.js";

/**
 * A text with its length in characters, as JSON Schema and the database count, not in code units.
 */
export function text({ min = 0, max }: { min?: number; max: number }) {
  return z
    .string()
    .superRefine((value, context) => {
      const length = Array.from(value).length;
      if (length > max) {
        context.addIssue(`has ${length} characters. Use at most ${max}`);
      } else if (length < min) {
        context.addIssue("must not be empty");
      }
    })
    .meta(min > 0 ? { minLength: min, maxLength: max } : { maxLength: max });
}

/** A calendar day, "YYYY-MM-DD". */
export function day() {
  return z.iso.date().refine((value) => value >= "0001-01-01", {
    error: "is not a date. Use YYYY-MM-DD, e.g. 2026-11-21",
  });
}

/** Values that the database can't read: offsets of 16 hours and more, and long fractions. */
const unreadable = /[+-](?:1[6-9]|2\d):\d\d$|\.\d{10}/;

/** An instant, RFC 3339 with an offset. */
export function instant() {
  return z.iso
    .datetime({ offset: true })
    .refine((value) => value >= "0001-01-01" && !unreadable.test(value), {
      error: "is not a time. Use RFC 3339, e.g. 2026-11-21T09:14:22Z",
    });
}

const aDay = day();
const anInstant = instant();

/** A day or an instant. A day means the whole day. */
export function dayOrInstant() {
  return z
    .string()
    .refine((value) => aDay.safeParse(value).success || anInstant.safeParse(value).success, {
      error:
        "is not a date or time. Use YYYY-MM-DD or RFC 3339, e.g. 2026-11-21 or 2026-11-21T09:14:22Z",
    })
    .meta({ dayOrInstant: true });
}

const currencyCode = /^[A-Z]{3}$/;

/** The form of an ISO 4217 code, in capitals. The domain knows which codes exist. */
export function currency() {
  return z
    .string()
    .toUpperCase()
    .refine((value) => currencyCode.test(value), {
      error: "is not an ISO 4217 code of three letters, e.g. EUR",
    })
    .meta({ pattern: currencyCode.source });
}

export const assetReference = text({ max: 64 }).describe("Asset id or inventory number.");
export const workspaceReference = text({ max: 100 }).describe("Workspace id or exact name.");
/** A filter by assignee. */
export const assigneeFilter = text({ max: 254 })
  .optional()
  .describe('User id, email, full name, "me", or "none" for unassigned.');
/** Synonyms for asset states, in normalized form. */
export const assetStateSynonyms = {
  retired: "deleted",
  disposed: "deleted",
  scrapped: "deleted",
  decommissioned: "deleted",
} as const;

export const taskStateSynonyms = {
  skipped: "cancelled",
  canceled: "cancelled",
  done: "completed",
  finished: "completed",
  closed: "completed",
} as const;

/** One of the listed values, or several. A single value stays a single value. */
export function oneOrMore<const Values extends readonly [string, ...string[]]>(
  values: Values,
  synonyms: Partial<Record<string, Values[number]>> = {},
) {
  return z
    .array(z.enum(values).meta({ synonyms }))
    .max(values.length)
    .transform(
      (given) => (given.length === 1 ? given[0] : given) as Values[number] | Values[number][],
    );
}

export const limit = z.int().min(1).max(100).default(25).describe("Rows per page.");
export const cursor = text({ max: 512 })
  .optional()
  .describe("next_cursor from the previous answer; keep all other arguments unchanged.");
export const requestKey = text({ max: 64 })
  .optional()
  .describe(
    "Your own key for this creation. Repeating the call with it within 24 h creates nothing new.",
  );
export const dryRun = z.boolean().default(false).describe("Validate only. Nothing is changed.");
export const expectedVersion = z
  .int()
  .min(1)
  .optional()
  .describe("The version you read. Refused if the record has changed since.");
export const note = text({ max: 1000 }).optional().describe("Reason, kept in the history.");
export const comment = text({ max: maxComment })
  .optional()
  .describe('Shown to everyone who sees it. "@Full Name" emails that person.');

export const changeOutput = z.object({
  field: z.string(),
  from: z.unknown().optional(),
  to: z.unknown().optional(),
});
export const dryRunOutput = z.literal(true).optional();

/** The root of an output. */
export function output<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape);
}
