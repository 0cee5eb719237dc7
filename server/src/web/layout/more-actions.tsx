import { toChildArray, type ComponentChildren, type VNode } from "preact";
import { t } from "../../language/translate.js";

/** What one does seldom, folded behind a button. */
export function MoreActions({ children }: { children: ComponentChildren }): VNode {
  return (
    <details class="more">
      <summary class="button quiet">{t("More")}</summary>
      <ul>
        {toChildArray(children).map((action, index) => (
          <li key={index}>{action}</li>
        ))}
      </ul>
    </details>
  );
}
