import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { Notice } from "../layout/notices.js";
import { type FormError } from "../layout/error-summary.js";

/** The parts of a list's address that could not be used. The rest still applies. */
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
