import type { VNode } from "preact";
import { t } from "../../language/translate.js";

/** One refused field of a form, or of the form as a whole when the field is undefined. */
export interface FormError {
  field?: string | undefined;
  message: string;
}

/** What is wrong with a submission, on top of the form and focused, each line leading to its field. */
export function ErrorSummary({ errors }: { errors: readonly FormError[] }): VNode | null {
  if (errors.length === 0) return null;
  return (
    <div
      class="error-summary"
      role="alert"
      aria-labelledby="error-summary-title"
      tabIndex={-1}
      autofocus
    >
      <h2 id="error-summary-title">
        {errors.length === 1 ? t("Fix one field") : t("Fix a few fields")}
      </h2>
      <ul>
        {errors.map(({ field, message }) => (
          <li key={message}>
            {field === undefined ? message : <a href={`#${field}`}>{message}</a>}
          </li>
        ))}
      </ul>
    </div>
  );
}
