import type { ComponentChildren, VNode } from "preact";
import { Notice } from "../layout/notices.js";
import { toFieldLabel } from "../text/field-labels.js";
import { useForm } from "./form-context.js";

/**
 * Above a form that was made on an older version: the way to what is there now, in a tab of its own,
 * so that what was typed stays.
 */
export function StaleNotice({
  what,
  href,
  children,
}: {
  what: string;
  href: string;
  children?: ComponentChildren;
}): VNode | null {
  if (!useForm().isStale) return null;
  return (
    <Notice kind="warning" title={`The ${what} has changed meanwhile`}>
      {children}
      <p>
        <a href={href} target="_blank" rel="noopener">
          Look at the {what} as it is now
        </a>{" "}
        <span class="soft">(opens in a new tab)</span>
      </p>
    </Notice>
  );
}

/** The same in one line, above the settings of an organization. */
export function StaleLink({ what, href }: { what: string; href: string }): VNode | null {
  if (!useForm().isStale) return null;
  return (
    <p>
      <a href={href}>Look at the {what}</a>
    </p>
  );
}

type Values = Partial<Record<string, string>>;

/** Which of the typed texts are not what is there. */
export function findChanged(typed: Values, present: Values): string[] {
  return Object.keys(typed).filter(
    (name) => withPlainBreaks(typed[name]) !== withPlainBreaks(present[name]),
  );
}

/** Browsers send line breaks as two characters. */
export function withPlainBreaks(value = ""): string {
  return value.replace(/\r\n?/g, "\n").trim();
}

/** Where what is there now is not what the form says. */
export function PresentValues({
  present,
  describe,
}: {
  present: Values;
  /** A value in the words that its control shows. */
  describe: (field: string, value: string) => string;
}): VNode | null {
  const { values } = useForm();
  const changed = findChanged(present, values).filter((field) => field in values);
  if (changed.length === 0) return null;
  return (
    <>
      <p>Saving puts your values in place of these:</p>
      <ul class="there-now">
        {changed.map((field) => (
          <li key={field}>
            <strong>{toFieldLabel(field)}</strong> is now:{" "}
            {describe(field, present[field] ?? "").trim() || "nothing"}
          </li>
        ))}
      </ul>
    </>
  );
}
