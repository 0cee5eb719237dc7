import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { staticUrls } from "../static-files.js";
import type { Caller } from "../../domain/access/caller.js";
import type { Tx } from "../../db/database.js";
import type { CursorCodec } from "../../domain/shared/cursors.js";
import { findVersionsAndLabels } from "../../domain/tasks/task-assets.js";
import { listTasks } from "../../domain/tasks/task-queries.js";
import { currentLocale } from "../../language/locale.js";
import { t } from "../../language/translate.js";
import { readMember, requireMember } from "../../plugins/members.js";
import { toTabAddress } from "../assets/asset-head.js";
import { Page } from "../layout/layout.js";
import { keepOfflineFor, toOfflineOwner } from "../layout/offline-cookie.js";
import { PageHead } from "../layout/page-head.js";
import { callerOf, inLocaleOf, sendPage } from "../layout/reply.js";
import { toReportAddress } from "../reports/public-label-page.js";
import { nameOf } from "../tasks/describe-task.js";
import { worker } from "./worker.js";

/** A phone keeps the person's most urgent tasks. */
const tasksAtMost = 50;

/** The service worker of all pages. Browsers request it again each time. */
export const offlineWorker: FastifyPluginAsync = async (app) => {
  const config = { file: true, script: "scan" } as const;
  app.get("/worker.js", { config }, async (_request, reply) =>
    reply.header("cache-control", "no-cache").type("text/javascript").send(worker),
  );
};

export const offlinePages: FastifyPluginAsync = async (app) => {
  /** The signed-in person, and a new token for waiting forms. */
  app.get(
    "/offline/session",
    {
      preHandler: async (request, reply) =>
        request.person === null ? reply.send({ person: null }) : readMember(request, reply),
    },
    async ({ person }, reply) => reply.send({ person: person?.id, token: reply.generateCsrf() }),
  );
  await app.register(async (pages) => {
    pages.addHook("preHandler", requireMember);
    /** The pages that a phone keeps. A page with another stamp has changed. */
    pages.get("/offline/pages", async (request, reply) => {
      const caller = callerOf(request);
      keepOfflineFor(reply, caller);
      const { cursors } = app.services;
      return reply.send({
        owner: toOfflineOwner(caller),
        pages: await inLocaleOf(request, () => findPages(request.db, caller, cursors)),
      });
    });
    pages.get("/offline", async (_request, reply) => sendPage(reply, <WaitingPage />));
  });
};

interface KeptPage {
  address: string;
  /** The address to fetch, if it differs. */
  source?: string;
  name: string;
  stamp: string;
}

async function findPages(db: Tx, caller: Caller, cursors: CursorCodec): Promise<KeptPage[]> {
  const mine = { state: "open", assigned_to_user_id: caller.userId, sort: "urgency" } as const;
  const { tasks } = await listTasks(db, caller, { ...mine, limit: tasksAtMost }, cursors);
  const ids = tasks.map(({ id }) => id);
  const details = await findVersionsAndLabels(db, caller, ids);
  const look = `${staticUrls.app} ${staticUrls.offline} ${currentLocale()}`;
  const pages = tasks.flatMap((task): KeptPage[] => {
    const { id, asset_id: asset, asset_name: assetName } = task;
    const { version = 0, qr_token: code = null } = details.get(id) ?? {};
    const about = { name: nameOf(task), stamp: `${version} ${look}` };
    const ofAsset = { name: assetName ?? "", stamp: look };
    return [
      ...["", "/complete", "/hold"].map((end) => ({ address: `/tasks/${id}${end}`, ...about })),
      ...(asset === null
        ? []
        : (["overview", "files"] as const).map((tab) => ({
            address: toTabAddress({ id: asset }, tab),
            ...ofAsset,
          }))),
      ...(code === null ? [] : [{ address: toReportAddress(code), ...ofAsset }]),
    ];
  });
  const home = [
    { address: "/", name: t("My work"), stamp: `${ids.join(" ")} ${look}` },
    {
      ...{ address: "/tasks", source: "/tasks?assignee=me", name: t("Tasks") },
      stamp: `${ids.map((id) => `${id} ${details.get(id)?.version}`).join(" ")} ${look}`,
    },
    { address: "/offline", name: t("Waiting changes"), stamp: look },
  ];
  return [...new Map([...home, ...pages].map((page) => [page.address, page])).values()];
}

/** The script fills in the changes. Only this browser knows them. */
function WaitingPage(): VNode {
  return (
    <Page title={t("Waiting changes")} current="/offline">
      <PageHead title={t("Waiting changes")} crumbs={[{ href: "/", label: t("Home") }]} />
      <div
        data-waiting-changes
        data-none={t(
          "No changes are waiting. Changes that you make offline appear here until they're sent.",
        )}
      >
        <p class="soft">{t("Changes that you make offline appear here until they're sent.")}</p>
      </div>
    </Page>
  );
}
