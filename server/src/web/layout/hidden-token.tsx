import type { VNode } from "preact";
import { useLayout } from "./layout-context.js";

/** Every form that posts carries it. */
export function HiddenToken(): VNode {
  return <input type="hidden" name="_csrf" value={useLayout().csrfToken} />;
}
