import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { getAssetId } from "../../domain/shared/asset-references.js";
import { markAssetSeen } from "../../domain/assets/asset-sightings.js";
import { idKindOf } from "../../domain/shared/ids.js";
import { commit } from "../../domain/history/transactions.js";
import { AppError } from "../../errors.js";
import { t } from "../../language/translate.js";
import { callerOf, sendPage, flash } from "../layout/reply.js";
import { FilesSection } from "../files/gallery.js";
import { MetersSection } from "../meters/meters-section.js";
import { AssetPage } from "./asset-content.js";
import type { AssetTab } from "./asset-head.js";
import { readAssetView, type AssetView } from "./asset-view.js";
import { AssetNotFoundPage } from "./not-found-pages.js";
import { OverviewTab, readOverview } from "./overview-tab.js";
import { readWork, WorkTab } from "./work-tab.js";
import { noteOpened } from "../search/recent.js";
import { requireMember } from "../../plugins/members.js";

interface AssetRequest {
  Params: { id: string };
  Querystring: { scanned?: unknown; tab?: unknown };
}

/**
 * Marks the address of a scanned label's page after the person confirmed that they see the asset.
 */
const confirmed = "seen";

/** `/assets/:id`, by id or inventory number, and the page's one-click actions. */
export const assetDetailPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);

  app.get<AssetRequest>("/assets/:id", async (request, reply) => {
    const caller = callerOf(request);
    const { id } = request.params;
    const db = request.db;
    const found = await find().catch((error: unknown) => {
      if (!isUnknown(error)) throw error;
    });
    if (found === undefined) {
      return sendPage(reply.code(404), AssetNotFoundPage({ reference: id }));
    }
    if (typeof found === "string") return reply.redirect(`/assets/${found}`, 303);
    const { scanned, tab: asked } = request.query;
    const isScanned = scanned !== undefined;
    const [tab, content] = await readTab(found, asked, isScanned);
    noteOpened(request, reply, id);
    return sendPage(
      reply,
      <AssetPage view={found} tab={tab} scanned={isScanned} asks={scanned !== confirmed}>
        {content}
      </AssetPage>,
    );

    /** Reads only what the selected tab shows. */
    async function readTab(
      view: AssetView,
      asked: unknown,
      isScanned: boolean,
    ): Promise<[tab: AssetTab, content: VNode]> {
      const { maxMegabytes } = app.services.files;
      if (asked === "readings") return [asked, <MetersSection view={view} />];
      if (asked === "files") return [asked, <FilesTab view={view} maxMegabytes={maxMegabytes} />];
      if (asked === "work") {
        return [asked, <WorkTab {...await readWork(db, view, app.services.cursors)} />];
      }
      const overview = await readOverview(db, view);
      return ["overview", <OverviewTab {...overview} scanned={isScanned} />];
    }

    /** Returns the asset's id if the address contains an inventory number. */
    async function find(): Promise<AssetView | string> {
      if (idKindOf(id) !== "asset") return getAssetId(db, caller, id);
      return readAssetView(db, caller, id, app.services.labelLinks);
    }
  });

  app.post<AssetRequest>("/assets/:id/seen", async (request, reply) => {
    const caller = callerOf(request);
    const { id, name } = await commit({ db: request.db, caller }, (tx) =>
      markAssetSeen(tx, caller, request.params.id),
    );
    flash(request, t("Recorded that you saw {name}.", { name }));
    return reply.redirect(`/assets/${id}?scanned=${confirmed}`, 303);
  });
};

/** True also for ids of other kinds. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code === "not_found" || error.field === "asset_id";
}

function FilesTab({ view, maxMegabytes }: { view: AssetView; maxMegabytes: number }): VNode {
  const { asset, files, may } = view;
  if (files.length === 0 && !may.change) return <p class="soft">{t("Nothing here yet")}</p>;
  return (
    <FilesSection
      files={files}
      mayChange={may.change}
      action={`/assets/${asset.id}/files`}
      maxMegabytes={maxMegabytes}
    />
  );
}
