import type { VNode } from "preact";
import type { FormError } from "../web/layout/error-summary.js";

export function FieldError({
  field,
  message,
}: {
  field: string;
  message: string | undefined;
}): VNode | null {
  if (message === undefined) return null;
  return (
    <span class="error" id={`${field}-error`}>
      {message}
    </span>
  );
}

export function messageFor(field: string, errors: readonly FormError[]): string | undefined {
  return errors.find((error) => error.field === field)?.message;
}
