import type { ComponentChildren, VNode } from "preact";
import type { AssetRecord } from "../../../domain/assets/asset-record.js";
import { AssetBadge } from "../../layout/badges.js";
import { Page } from "../../layout/layout.js";
import { Number, PageHead } from "../../layout/page-parts.js";
import type { FormError } from "../../layout/parts.js";
import type { LayoutProps } from "../../layout/reply.js";
import { toAddressOf } from "./open-asset.js";

/** What all forms of an asset show, beside what was typed. */
export interface AssetFormView {
  frame: LayoutProps;
  asset: AssetRecord;
  /** That the form is made on. */
  version: number;
  errors: readonly FormError[];
}

/** A page with one form about one asset. */
export function AssetFormPage({
  frame,
  asset,
  title,
  children,
}: {
  frame: LayoutProps;
  asset: AssetRecord;
  title: string;
  children: ComponentChildren;
}): VNode {
  const crumbs = [
    { href: "/assets", label: "Assets" },
    { href: toAddressOf(asset), label: asset.name },
  ];
  const facts = (
    <>
      <Number>{asset.inventory_number}</Number>
      <AssetBadge state={asset.state} />
      {asset.workspace_name !== null && <span class="soft">{asset.workspace_name}</span>}
    </>
  );
  return (
    <Page title={`${title}: ${asset.name}`} current="/assets" {...frame}>
      <PageHead title={title} crumbs={crumbs} facts={facts} />
      {children}
    </Page>
  );
}

/** Which reading of the asset the form is made on. */
export function HiddenVersion({ version }: { version: number }): VNode {
  return <input type="hidden" name="expected_version" value={version} />;
}

export interface Choice {
  value: string;
  label: ComponentChildren;
  /** One sentence. */
  help?: string;
}

/** One of a few choices, each with what it means. */
export function Choices({
  name,
  legend,
  choices,
  value,
  errors,
}: {
  name: string;
  legend: string;
  choices: readonly Choice[];
  value: string | undefined;
  errors: readonly FormError[];
}): VNode {
  const error = errors.find(({ field }) => field === name)?.message;
  return (
    <fieldset
      class="choices"
      id={name}
      aria-describedby={error === undefined ? undefined : `${name}-error`}
    >
      <legend>{legend}</legend>
      {error !== undefined && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
      {choices.map((choice) => {
        const id = `${name}-${choice.value}`;
        const help = choice.help === undefined ? undefined : `${id}-help`;
        return (
          <div class="choice" key={choice.value}>
            <input
              type="radio"
              id={id}
              name={name}
              value={choice.value}
              checked={choice.value === value}
              required
              aria-describedby={help}
            />
            <label for={id}>{choice.label}</label>
            {help !== undefined && (
              <p class="help" id={help}>
                {choice.help}
              </p>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
