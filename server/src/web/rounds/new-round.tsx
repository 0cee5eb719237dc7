import type { VNode } from "preact";
import type { Tx } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import { requireMemberSomewhere } from "../../domain/access/roles.js";
import { findScannedAssets } from "../../domain/assets/asset-sightings.js";
import { startRound } from "../../domain/rounds/rounds.js";
import { workspaceOptions } from "../forms/choices.js";
import { FormActions, PostForm, Select, TextInput, type Option } from "../forms/controls.js";
import { idField, required, textField, type Values } from "../forms/form-fields.js";
import { seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import { Page } from "../layout/layout.js";
import { EmptyState, Notice } from "../layout/notices.js";
import { PageHead } from "../layout/page-head.js";
import { Scanner } from "../labels/scan/scanner.js";
import { t, tRich } from "../../language/translate.js";

const path = "/rounds/new";

const fields = {
  workspace_id: required(idField("Workspace", "workspace"), "Choose a workspace."),
  location: textField("Location"),
};

/** `/rounds/new`: a round through a selected workspace, or through the place of a scanned asset. */
export const newRoundForm = formRoute({
  path,
  script: "scan",
  fields,
  begin: async ({ db, caller, query }) => ({
    workspace_id: query("workspace"),
    ...(await findPlace(db, caller, query("code").trim())),
  }),
  once: "start_round",
  limit: "round",
  change: (tx, { caller, given }) => startRound(tx, caller, given),
  done: ({ id }) => seeOther(`/rounds/${id}`),
  page: async ({ db, caller, query, values }) => {
    const workspaces = await workspaceOptions(db, caller);
    await requireMemberSomewhere(db, caller, "do rounds");
    const isUnplaced = query("code") !== "" && (values.workspace_id ?? "") === "";
    return <NewRoundPage workspaces={workspaces} code={query("code")} isUnplaced={isUnplaced} />;
  },
});

/** The place of the scanned asset. */
async function findPlace(db: Tx, caller: Caller, code: string): Promise<Values<typeof fields>> {
  const [asset] = code === "" ? [] : await findScannedAssets(db, caller, code);
  if (asset === undefined || asset.workspace_id === null) return {};
  return { workspace_id: asset.workspace_id, location: asset.location ?? "" };
}

interface NewRoundView {
  workspaces: readonly Option[];
  /** The scanned text that determines the place. */
  code: string;
  /** True if the code identifies no place. */
  isUnplaced: boolean;
}

function NewRoundPage({ workspaces, code, isUnplaced }: NewRoundView): VNode {
  return (
    <Page title={t("Start a round")} current="/scan/rounds">
      <PageHead title={t("Start a round")} crumbs={[{ href: "/rounds", label: t("Rounds") }]} />
      {workspaces.length === 0 ? (
        <EmptyState title={t("No workspaces yet")}>
          <p>
            {t("Choose the workspace for this round.")}{" "}
            {tRich("<a>Add a workspace</a> first.", {
              a: (words) => <a href="/settings/workspaces/new">{words}</a>,
            })}
          </p>
        </EmptyState>
      ) : (
        <>
          {isUnplaced && (
            <Notice kind="warning">
              <p>
                {tRich(
                  "{code} doesn't identify a workspace: no asset you can see has this code, or the asset is in no workspace. Scan something else, or choose below.",
                  { code: <q dir="auto">{code}</q> },
                )}
              </p>
            </Notice>
          )}
          <PostForm class="panel" action={path}>
            <Select name="workspace_id" options={workspaces} empty={t("Choose a workspace")} />
            <TextInput
              name="location"
              maxLength={200}
              help={t("Only assets at this location. Leave blank for the whole workspace.")}
            />
            <FormActions submit={t("Start round")} cancel="/rounds" />
          </PostForm>
          <section aria-labelledby="by-scan">
            <h2 id="by-scan">{t("Or scan something there")}</h2>
            <form class="panel scanner" method="get" action={path}>
              <Scanner submit={t("Choose its workspace")} />
            </form>
          </section>
        </>
      )}
    </Page>
  );
}
