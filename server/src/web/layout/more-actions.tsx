import { toChildArray, type ComponentChildren, type VNode } from "preact";
import { t } from "../../language/translate.js";
import { Popover } from "./popover.js";

export function MoreActions({ children }: { children: ComponentChildren }): VNode {
  return (
    <Popover class="menu" label={t("More")}>
      <ul>
        {toChildArray(children).map((action, index) => (
          <li key={index}>{action}</li>
        ))}
      </ul>
    </Popover>
  );
}
