/**
 * Parameters of a composed statement. The text depends on which filters are present, never on their
 * values, so the database plans each variant only once.
 */
export interface Parameters {
  readonly values: unknown[];
  /** Adds a value and returns its placeholder, such as `$3`. */
  add: (value: unknown) => string;
}

export function createParameters(...values: unknown[]): Parameters {
  return {
    values,
    add(value) {
      values.push(value);
      return `$${values.length}`;
    },
  };
}

const maxCompared = 100;

/** Limits a text for similarity comparison, which is slow for long texts. */
export function compared(text: string): string {
  return Array.from(text.slice(0, 2 * maxCompared))
    .slice(0, maxCompared)
    .join("");
}

/** An ILIKE pattern that finds the text anywhere and escapes wildcards. */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
