import type { ComponentChildren, VNode } from "preact";
import { t, tRich, translated } from "../../language/translate.js";
import { Notice } from "../layout/notices.js";
import { toFieldLabel } from "../text/field-labels.js";
import { toPersonReference } from "./person-choice.js";
import { useForm } from "./form-context.js";

const changedMeanwhile = translated({
  asset: "The asset has changed since",
  task: "The task has changed since",
});

/**
 * Above a form based on an older version: a link to the current record in a new tab, so the input
 * stays.
 */
export function StaleNotice({
  what,
  href,
  children,
}: {
  what: "asset" | "task";
  href: string;
  children?: ComponentChildren;
}): VNode | null {
  if (!useForm().isStale) return null;
  return (
    <Notice kind="warning" title={changedMeanwhile[what]}>
      {children}
      <p>
        <a href={href} target="_blank" rel="noopener">
          {t("View the latest version")}
        </a>{" "}
        <span class="soft">{t("(opens in a new tab)")}</span>
      </p>
    </Notice>
  );
}

/** A one-line link to the current values, above organization settings. */
export function StaleLink({ href }: { href: string }): VNode | null {
  if (!useForm().isStale) return null;
  return (
    <p>
      <a href={href}>{t("View the latest version")}</a>
    </p>
  );
}

type Values = Partial<Record<string, string>>;

/** The names of texts that differ from the current values. */
export function findChanged(typed: Values, present: Values): string[] {
  return Object.keys(typed).filter((name) => toCompared(typed[name]) !== toCompared(present[name]));
}

function toCompared(value = ""): string {
  return toPersonReference(withPlainBreaks(value));
}

/** Browsers send line breaks as two characters. */
export function withPlainBreaks(value = ""): string {
  return value.replace(/\r\n?/g, "\n").trim();
}

/** The current values that differ from the form. */
export function PresentValues({
  present,
  describe,
}: {
  present: Values;
  /** Formats a value as its control shows it. */
  describe: (field: string, value: string) => string;
}): VNode | null {
  const { values } = useForm();
  const changed = findChanged(present, values).filter((field) => field in values);
  if (changed.length === 0) return null;
  return (
    <>
      <p>{t("Saving overwrites these values:")}</p>
      <ul class="there-now">
        {changed.map((field) => (
          <li key={field}>
            {tRich("<b>{field}</b> is now: {value}", {
              field: toFieldLabel(field),
              value: <bdi>{describe(field, present[field] ?? "").trim() || t("nothing")}</bdi>,
              b: (words) => <strong>{words}</strong>,
            })}
          </li>
        ))}
      </ul>
    </>
  );
}
