/** A call whose arguments do not fit the schema of its tool; the message is for the assistant. */
export class ArgumentError extends Error {
  /** The argument at fault. */
  readonly field: string;
  readonly details: { nearest: string } | undefined;

  constructor(field: string, problem: string, nearest?: string) {
    super(`Validation failed: ${problem}`);
    this.name = "ArgumentError";
    this.field = field;
    this.details = nearest === undefined ? undefined : { nearest };
  }
}
