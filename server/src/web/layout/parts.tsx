import type { ComponentChildren, VNode } from "preact";
import { useLayout } from "./layout-context.js";

/** One refused field of a form, or of the form as a whole when the field is undefined. */
export interface FormError {
  field?: string | undefined;
  message: string;
}

/** Every form that posts carries it. */
export function HiddenToken(): VNode {
  return <input type="hidden" name="_csrf" value={useLayout().csrfToken} />;
}

/** What is wrong with a submission, on top of the form, each line leading to its field. */
export function ErrorSummary({ errors }: { errors: readonly FormError[] }): VNode | null {
  if (errors.length === 0) return null;
  return (
    <div class="error-summary" role="alert" aria-labelledby="error-summary-title" tabIndex={-1}>
      <h2 id="error-summary-title">
        {errors.length === 1 ? "One thing needs your attention" : "Some things need your attention"}
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

/** A framed note within a page. */
export function Notice({
  kind = "info",
  title,
  children,
}: {
  kind?: "info" | "warning";
  title?: string;
  children: ComponentChildren;
}): VNode {
  return (
    <div class={`notice ${kind}`}>
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </div>
  );
}

/** What this place is for, and the first step, where there is nothing to list yet. */
export function EmptyState({
  title,
  children,
}: {
  title: string;
  children: ComponentChildren;
}): VNode {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** The product's mark: a wrench crossing a tick. Decorative beside the name. */
export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <g
        fill="none"
        stroke="currentColor"
        stroke-width="2.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      >
        <path d="M4 17.5 11 25 28 7" />
        <path d="M27 27 14.6 14.6M15.2 10.9a5.6 5.6 0 0 0-7-7l3.2 3.3-.9 3.3-3.3.9-3.3-3.2a5.6 5.6 0 0 0 7 7" />
      </g>
    </svg>
  );
}
