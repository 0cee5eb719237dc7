import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import type { Caller } from "../../../domain/access/caller.js";
import {
  findScannedAssets,
  labelCodeOf,
  type ScannedAsset,
} from "../../../domain/assets/asset-sightings.js";
import { findWorkspaceChoices } from "../../../domain/organizations/workspace-choices.js";
import type { PlaceLabelRow } from "../../../domain/labels/place-labels.js";
import { findOwnLabel } from "../../assets/label-visit.js";
import { readText } from "../../forms/form-fields.js";
import { AssetBadge } from "../../layout/badges.js";
import { InventoryNumber } from "../../layout/facts.js";
import { Page } from "../../layout/layout.js";
import { EmptyState } from "../../layout/notices.js";
import { ActionLink, PageHead } from "../../layout/page-head.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { AddScanned, findNewWays, type NewWays } from "./add-scanned.js";
import { Scanner } from "./scanner.js";
import { t, tRich } from "../../../language/translate.js";
import { requireMember } from "../../../plugins/members.js";

const path = "/scan";

/** `/scan`: finds an asset by code or number, with the camera, a hand-held scanner, or by hand. */
export const scanPage: FastifyPluginAsync = async (app) => {
  app.get(
    path,
    { preHandler: requireMember, config: { script: "scan" } },
    async (request, reply) => {
      const caller = callerOf(request);
      const code = readText(request.query, "code").trim().slice(0, 200);
      if (code === "") return sendPage(reply, <ScanPage code="" assets={[]} />);
      const { assets, place } = await find(request, caller, code);
      if (place !== undefined) return reply.redirect(`/q/${place.qr_token}`, 303);
      const [only, ...others] = assets;
      if (only !== undefined && others.length === 0) {
        return reply.redirect(`/assets/${only.id}?scanned=1`, 303);
      }
      const workspaces = await findWorkspaceChoices(request.db, caller);
      const ways = findNewWays(caller, workspaces, code);
      return sendPage(
        reply.code(only === undefined ? 404 : 200),
        <ScanPage code={code} assets={assets} ways={ways} />,
      );
    },
  );
};

/**
 * A label may belong to another of the person's organizations. The asset's page then leads there.
 */
async function find(
  request: FastifyRequest,
  caller: Caller,
  code: string,
): Promise<{ assets: ScanView["assets"]; place?: PlaceLabelRow | undefined }> {
  const db = request.db;
  const assets = await findScannedAssets(db, caller, code);
  const label = labelCodeOf(code);
  if (assets.length > 0 || label === undefined) return { assets };
  const { asset, place } = (await findOwnLabel(db, request, label)) ?? {};
  return { assets: asset === undefined ? [] : [{ id: asset }], place };
}

interface ScanView {
  /** The scanned or typed text. Empty at first. */
  code: string;
  assets: readonly (Pick<ScannedAsset, "id"> | ScannedAsset)[];
  ways?: NewWays;
}

function ScanPage({ code, assets, ways }: ScanView): VNode {
  const choices = assets.filter((asset): asset is ScannedAsset => "name" in asset);
  return (
    <Page title={t("Scan")} current={path}>
      <PageHead
        title={t("Scan")}
        actions={
          <ActionLink quiet href="/rounds">
            {t("Rounds")}
          </ActionLink>
        }
      />
      <form class="panel scanner" method="get" action={path}>
        <Scanner submit={t("Find")} />
      </form>
      {choices.length > 0 && <Choices code={code} assets={choices} />}
      {choices.length === 0 && code !== "" && (
        <EmptyState title={t("No results")}>
          <p>
            {tRich(
              "No asset you can see has {code} as its label, inventory number or serial number. It may be in a workspace you're not in, or the code was only partly read.",
              { code: <q dir="auto">{code}</q> },
            )}
          </p>
          <AddScanned code={code} ways={ways} />
          <p>
            <a href={`/assets?${new URLSearchParams({ q: code }).toString()}`}>
              {t("Search assets")}
            </a>
          </p>
        </EmptyState>
      )}
    </Page>
  );
}

function Choices({ code, assets }: { code: string; assets: readonly ScannedAsset[] }): VNode {
  return (
    <section aria-labelledby="choices">
      <h2 id="choices">
        {tRich("{count} assets have {code}", {
          count: assets.length,
          code: <q dir="auto">{code}</q>,
        })}
      </h2>
      <ul class="things">
        {assets.map(({ id, name, inventory_number, state, workspace_name, location }) => (
          <li key={id} class="round-row">
            <a class="thing" dir="auto" href={`/assets/${id}?scanned=1`}>
              {name}
            </a>
            <span class="round-where soft">
              <InventoryNumber>{inventory_number}</InventoryNumber>
              <span dir="auto">{workspace_name ?? t("In no workspace")}</span>
              {location !== null && <span dir="auto">{location}</span>}
            </span>
            <AssetBadge state={state} />
          </li>
        ))}
      </ul>
    </section>
  );
}
