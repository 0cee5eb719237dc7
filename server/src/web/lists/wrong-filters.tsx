import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { Notice } from "../layout/notices.js";
import { type FormError } from "../layout/error-summary.js";

/** What of the address of a list could not be used; the rest of it still counts. */
export function WrongFilters({ errors }: { errors: readonly FormError[] }): VNode {
  return (
    <Notice kind="warning" title={t("Some search filters were ignored")}>
      <ul>
        {errors.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Notice>
  );
}
