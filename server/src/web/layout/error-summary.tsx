import type { VNode } from "preact";
import { t } from "../../language/translate.js";

/** A refused field of a form. Without a field, the error concerns the whole form. */
export interface FormError {
  field?: string | undefined;
  message: string;
}

/** The errors of a submission, at the top of the form and focused. Each links to its field. */
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
        {errors.length === 1
          ? t("Fix one field")
          : t("Fix {count} fields", { count: errors.length })}
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
