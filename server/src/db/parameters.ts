/**
 * Parameters of a statement that is put together. The text then depends on which filters are
 * present and never on their values, so that the database plans each variant only once.
 */
export interface Parameters {
  readonly values: unknown[];
  /** Adds a value and returns its place in the text, such as `$3`. */
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

/** As much of a text as is compared for likeness, which takes long for long ones. */
export function compared(text: string): string {
  return Array.from(text.slice(0, 2 * maxCompared))
    .slice(0, maxCompared)
    .join("");
}

/** A pattern for ILIKE that finds the text anywhere and takes its signs literally. */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
