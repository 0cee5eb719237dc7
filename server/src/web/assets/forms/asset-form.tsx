import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import type { AssetRecord } from "../../../domain/assets/asset-record.js";
import type { Action } from "../../../domain/access/roles.js";
import { t } from "../../../language/translate.js";
import type { FormFields } from "../../forms/form-fields.js";
import { formRoute } from "../../forms/form-route.js";
import type { FormRequest, RecordFormSpec } from "../../forms/form-spec.js";
import type { FormReply } from "../../forms/form-reply.js";
import { AssetBadge } from "../../layout/badges.js";
import { Page } from "../../layout/layout.js";
import { ActionLink, PageHead } from "../../layout/page-head.js";
import { InventoryNumber } from "../../layout/facts.js";
import { Notice } from "../../layout/notices.js";
import { toAssetErrors } from "./asset-errors.js";
import { openAssetFor, toAddressOf, type OpenedAsset } from "./open-asset.js";
import { withColon } from "../../text/format.js";

interface AssetFormSpec<Fields extends FormFields, Result> extends RecordFormSpec<
  OpenedAsset,
  Fields,
  Result
> {
  /** The required role, and the action that needs it. */
  right: readonly [least: "member" | "admin", what: Action];
  /** The response for an asset that needs no form. */
  instead?: (asset: AssetRecord) => FormReply | undefined;
}

export function assetForm<Fields extends FormFields, Result>({
  action,
  right,
  instead,
  ...spec
}: AssetFormSpec<Fields, Result>): FastifyPluginAsync {
  return formRoute<OpenedAsset, Fields, Result>({
    path: `/assets/:id/${action}`,
    open: async ({ db, caller, id }: FormRequest) => {
      const opened = await openAssetFor(db, caller, id, right);
      return instead?.(opened.asset) ?? opened;
    },
    version: ({ asset }) => asset.version,
    toErrors: toAssetErrors,
    ...spec,
  });
}

interface AssetFormPageProps {
  asset: AssetRecord;
  title: string;
  children: ComponentChildren;
}

export function AssetFormPage({ asset, title, children }: AssetFormPageProps): VNode {
  const crumbs = [
    { href: "/assets", label: t("Assets") },
    { href: toAddressOf(asset), label: asset.name },
  ];
  const facts = (
    <>
      <InventoryNumber>{asset.inventory_number}</InventoryNumber>
      <AssetBadge state={asset.state} />
      {asset.workspace_name !== null && <span class="soft">{asset.workspace_name}</span>}
    </>
  );
  return (
    <Page title={`${withColon(title)} ${asset.name}`} current="/assets">
      <PageHead title={title} crumbs={crumbs} facts={facts} />
      {children}
    </Page>
  );
}

/** Replaces a form that isn't available for retired assets. */
export function RetiredNotice({ asset, text }: { asset: AssetRecord; text: string }): VNode {
  return (
    <Notice title={t("This asset is retired")}>
      <p>{text}</p>
      <p>
        <ActionLink href={`${toAddressOf(asset)}/restore`}>{t("Restore asset")}</ActionLink>
      </p>
    </Notice>
  );
}
