import type { ComponentChildren, VNode } from "preact";
import type { Caller } from "../../domain/access/caller.js";
import type { ImportSettings } from "../../domain/exchange/import-settings.js";
import type { ListedRow } from "../../domain/history/change-set-rows.js";
import type { ChangeSetRecord } from "../../domain/history/change-sets.js";
import { t } from "../../language/translate.js";
import { importAddress } from "../history/changes/addresses.js";
import { PostForm } from "../forms/controls.js";
import { FixStep } from "./fix-step.js";
import { findColumnsToCheck, MapStep } from "./map-step.js";
import { PlaceChoice, PlaceNote } from "./place-choice.js";
import { StepHeading } from "./step-heading.js";

interface StepsView {
  caller: Caller;
  set: ChangeSetRecord;
  settings: ImportSettings;
  /** The names of the existing workspaces. */
  workspaces: readonly string[];
  /** Some wrong rows. */
  fixes: { rows: ListedRow[]; next?: number };
}

/** A plan from a file can change until it is applied. */
export function canChange({ state }: ChangeSetRecord, { format }: ImportSettings): boolean {
  return state === "planned" && format.format !== "values";
}

/** One form for the first two steps, so that updating one doesn't lose changes in the other. */
export function Steps({ children, ...view }: StepsView & { children: ComponentChildren }): VNode {
  const { caller, set, settings, workspaces, fixes } = view;
  const path = `${importAddress}/${set.id}`;
  const wrong = set.counts["wrong"] ?? 0;
  return (
    <>
      <StepLinks {...view} />
      <PostForm action={`${path}/columns`} class="import-answers">
        <MapStep settings={settings} wrong={wrong} ownCurrency={caller.currency}>
          <PlaceChoice settings={settings} workspaces={workspaces} />
          {settings.place == null && settings.missingPlaces && <PlaceNote settings={settings} />}
        </MapStep>
        <FixStep settings={settings} wrong={wrong} {...fixes} next={fixes.next} path={path} />
      </PostForm>
      <section id="import" class="import-step" aria-labelledby="import-title">
        <StepHeading id="import-title" number={3} title={t("Import")} />
        {children}
      </section>
    </>
  );
}

function StepLinks({ set: { counts }, settings }: StepsView): VNode {
  const toCheck = findColumnsToCheck(settings).length;
  const toFix = (counts["wrong"] ?? 0) + (settings.unknown?.length ?? 0);
  const ready = (counts["create"] ?? 0) + (counts["update"] ?? 0);
  const steps = [
    {
      href: "#map",
      title: t("Map"),
      status: toCheck > 0 ? t("{count} to check", { count: toCheck }) : t("All matched"),
      isOpen: toCheck > 0,
    },
    {
      href: "#fix",
      title: t("Fix"),
      status: toFix > 0 ? t("{count} to fix", { count: toFix }) : t("Nothing to fix"),
      isOpen: toFix > 0,
    },
    {
      href: "#import",
      title: t("Import"),
      status: t("{count, plural, one {# row ready} other {# rows ready}}", { count: ready }),
      isOpen: false,
    },
  ];
  return (
    <nav class="import-steps" aria-label={t("Steps")}>
      <ol>
        {steps.map(({ href, title, status, isOpen }, at) => (
          <li key={href}>
            <a href={href}>
              <span class="step-number">{at + 1}</span> <strong>{title}</strong>{" "}
              <span class={isOpen ? "open" : "soft"}>{status}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
