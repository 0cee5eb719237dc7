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

const lookAt = translated({
  asset: "View the current asset",
  task: "View the current task",
  workspace: "View the current workspace",
  settings: "View the current settings",
});

/**
 * Above a form that was made on an older version: the way to what is there now, in a tab of its own,
 * so that what was typed stays.
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
          {lookAt[what]}
        </a>{" "}
        <span class="soft">{t("(opens in a new tab)")}</span>
      </p>
    </Notice>
  );
}

/** The same in one line, above the settings of an organization. */
export function StaleLink({
  what,
  href,
}: {
  what: "workspace" | "settings";
  href: string;
}): VNode | null {
  if (!useForm().isStale) return null;
  return (
    <p>
      <a href={href}>{lookAt[what]}</a>
    </p>
  );
}

type Values = Partial<Record<string, string>>;

/** Which of the typed texts are not what is there. */
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
