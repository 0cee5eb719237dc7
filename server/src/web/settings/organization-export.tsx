import { Readable } from "node:stream";
import type { VNode } from "preact";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import { todayOf } from "../../domain/access/clock.js";
import { measureList, openArchive } from "../../domain/exchange/archive.js";
import { recordActivity } from "../../domain/audit/record-activity.js";
import { t, tRich } from "../../language/translate.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { FormReply } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import { ActionLink } from "../layout/page-head.js";
import { inTurns, streamWhileAuthorized } from "../lists/stream-while-authorized.js";
import { organizationAddress, organizationCrumbs } from "./organization-address.js";
import { askToConfirm } from "./security/confirm.js";
import { SettingsPage } from "./settings-layout.js";

const address = `${organizationAddress}/export`;

/**
 * `/settings/organization/export`: the whole organization as one file, after a recent confirmation
 * of identity.
 */
export const organizationExportForm = formRoute({
  path: address,
  limit: "organization-export",
  open: async ({ db, caller, request }) => {
    await requireOrganizationAdmin(db, caller, "export all data");
    return askToConfirm(request);
  },
  change: async (tx, { request, caller }) => {
    const listBytes = await measureList(tx, caller);
    const { organizationId, userId, userName: actorName } = caller;
    await recordActivity(tx, {
      organizationId,
      userId,
      actorName,
      type: "organization_exported",
      origin: request.activityOrigin(),
    });
    return listBytes;
  },
  done: (listBytes, { app, request, caller }) => {
    const archive = openArchive(request.db, caller, app.services.files.objects, (pieces) =>
      inTurns(request, pieces),
    );
    const name = `fettle-${todayOf(caller)}.zip`;
    return new FormReply((reply) => {
      app.services.holdArchive(reply, listBytes);
      return reply
        .type("application/zip")
        .header("content-disposition", `attachment; filename="${name}"`)
        .send(Readable.from(streamWhileAuthorized(reply, archive), { objectMode: false }));
    });
  },
  page: ({ caller }) => (
    <SettingsPage title={t("Download everything")} current={address} crumbs={organizationCrumbs}>
      <p>
        {tRich(
          "One ZIP file with everything in {name}: tables of assets, tasks, members and workspaces, all photos and files, and every record with its history as JSON Lines. Passwords, keys and label codes are not included.",
          { name: <bdi>{caller.organizationName}</bdi> },
        )}
      </p>
      <p>
        {t(
          "It contains people's names and actions, so store it where only the people who need it can read it. The activity log records your download.",
        )}
      </p>
      <PostForm>
        <FormActions submit={t("Download everything")} cancel={organizationAddress} />
      </PostForm>
    </SettingsPage>
  ),
});

export function OrganizationExportPanel(): VNode {
  return (
    <section class="panel" aria-labelledby="export">
      <h2 id="export">{t("Export all data")}</h2>
      <p>{t("Assets, tasks, people, history, photos and files in one ZIP file.")}</p>
      <div class="actions">
        <ActionLink href={address} quiet>
          {t("Download everything")}
        </ActionLink>
      </div>
    </section>
  );
}
