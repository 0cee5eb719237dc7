import { z } from "zod";

export const flag = z
  .string()
  .transform((value) => value.toLowerCase())
  .pipe(z.enum(["true", "false"], { error: 'must be "true" or "false"' }))
  .transform((value) => value === "true");

export const list = z.string().transform((value) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d+$/, { error })
    .transform(Number)
    .pipe(z.number({ error }).min(least, { error }).max(most, { error }));
}

export function url(schemes: readonly string[], meaning: string) {
  return z
    .string()
    .refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol), {
      error: `must be ${meaning}`,
    });
}
