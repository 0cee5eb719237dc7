import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { findRightsIn, requireRoleIn } from "../../../domain/access/roles.js";
import {
  addPlaceLabels,
  getPlaceLabel,
  listPlaceLabels,
  revokePlaceLabel,
  type PlaceLabelRow,
} from "../../../domain/labels/place-labels.js";
import {
  getWorkspace,
  type WorkspaceReference,
} from "../../../domain/shared/workspace-references.js";
import { t } from "../../../language/translate.js";
import { FormActions, PostForm, TextArea } from "../../forms/controls.js";
import { textField } from "../../forms/form-fields.js";
import { seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import { Page } from "../../layout/layout.js";
import { EmptyState } from "../../layout/notices.js";
import { OfSubject, PageHead } from "../../layout/page-head.js";
import { placeLabelsAddress, workspacesAddress, workspacesCrumb } from "./addresses.js";

interface View {
  workspace: WorkspaceReference;
  labels: readonly PlaceLabelRow[];
  mayChange: boolean;
}

/** `/workspaces/:id/labels`: the codes with which people report problems with places. */
const labelsForm = formRoute({
  path: placeLabelsAddress(":id"),
  open: async ({ db, caller, id }): Promise<View> => {
    const workspace = await getWorkspace(db, caller, id);
    const [labels, may] = await Promise.all([
      listPlaceLabels(db, caller, workspace.id),
      findRightsIn(db, caller, workspace),
    ]);
    return { workspace, labels, mayChange: may.member };
  },
  fields: { locations: textField("Locations") },
  once: "add_place_labels",
  change: (tx, { caller, id, given: { locations = "" } }) =>
    addPlaceLabels(tx, caller, id, readLines(locations)),
  done: ({ added }, { id }) =>
    seeOther(
      placeLabelsAddress(id),
      added === 0
        ? t("These places already have labels.")
        : t("{count, plural, one {# label} other {# labels}} added.", { count: added }),
    ),
  page: ({ subject }) => <LabelsPage {...subject} />,
});

function readLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** `/workspaces/:id/labels/:label/revoke` */
const revokeForm = formRoute({
  path: `${placeLabelsAddress(":id")}/:label/revoke`,
  open: async ({ db, caller, params: { label: id = "" } }) => {
    const label = await getPlaceLabel(db, caller, id);
    const workspace = { id: label.workspace_id, name: label.workspace };
    await requireRoleIn(db, caller, workspace, "member", "revoke place labels");
    return label;
  },
  change: (tx, { caller, subject: { id } }) => revokePlaceLabel(tx, caller, id),
  done: (_, { subject: { workspace_id, name } }) =>
    seeOther(placeLabelsAddress(workspace_id), t("Label of {name} revoked.", { name })),
  page: ({ subject: { name, workspace_id: id, workspace } }) => (
    <Page title={t("Revoke label")} current={`${workspacesAddress}/`}>
      <PageHead
        title={t("Revoke the label of {name}?", { name })}
        crumbs={crumbs({ id, name: workspace }, true)}
      />
      <p>{t("Its code stops working. Remove the printed label. Reports from it are kept.")}</p>
      <PostForm>
        <FormActions submit={t("Revoke label")} danger cancel={placeLabelsAddress(id)} />
      </PostForm>
    </Page>
  ),
});

function crumbs({ id, name }: WorkspaceReference, isBelow = false) {
  return [
    workspacesCrumb,
    { href: `${workspacesAddress}/${id}`, label: name },
    ...(isBelow ? [{ href: placeLabelsAddress(id), label: t("Place labels") }] : []),
  ];
}

function LabelsPage({ workspace, labels, mayChange }: View): VNode {
  return (
    <Page title={t("Place labels")} current={`${workspacesAddress}/`}>
      <PageHead title={t("Place labels")} crumbs={crumbs(workspace)} />
      <p class="soft">
        {t(
          "People scan a place label to report a problem that no asset has, such as a dripping tap.",
        )}
      </p>
      {labels.length === 0 ? (
        <EmptyState title={t("No place labels yet")}>
          <p>{t("Labels of rooms and other locations appear here.")}</p>
        </EmptyState>
      ) : (
        <form class="panel" method="get" action="/labels/new">
          <input type="hidden" name="workspace" value={workspace.id} />
          <ul class="things place-labels">
            {labels.map((label) => (
              <LabelRow key={label.id} label={label} mayChange={mayChange} />
            ))}
          </ul>
          <p class="help">{t("Without a selection, all labels are printed.")}</p>
          <button type="submit">{t("Print labels")}</button>
        </form>
      )}
      {mayChange && (
        <section class="panel" aria-labelledby="add">
          <h2 id="add">{t("Add labels")}</h2>
          <PostForm action={placeLabelsAddress(workspace.id)}>
            <TextArea
              name="locations"
              rows={4}
              maxLength={20_000}
              help={t("One per line. Leave blank for the whole workspace.")}
            />
            <FormActions submit={t("Add labels")} />
          </PostForm>
        </section>
      )}
    </Page>
  );
}

function LabelRow({ label, mayChange }: { label: PlaceLabelRow; mayChange: boolean }): VNode {
  const { id, name, location, workspace_id, qr_token } = label;
  return (
    <li>
      <input type="checkbox" id={id} name="ids" value={id} />
      <label for={id}>
        <bdi>{name}</bdi>
        {location === null && <span class="soft"> {t("Whole workspace")}</span>}
      </label>
      <a href={`/q/${qr_token}`}>
        {t("Preview")}
        <OfSubject name={name} />
      </a>
      {mayChange && (
        <a href={`${placeLabelsAddress(workspace_id)}/${id}/revoke`}>
          {t("Revoke")}
          <OfSubject name={name} />
        </a>
      )}
    </li>
  );
}

export const placeLabelPages: FastifyPluginAsync = async (app) => {
  await app.register(labelsForm);
  await app.register(revokeForm);
};
