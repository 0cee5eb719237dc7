import type { ComponentChildren, VNode } from "preact";
import type { AssetRecord } from "../../domain/assets/asset-record.js";
import { getVisibleAsset } from "../../domain/assets/visible-assets.js";
import { getAssetId } from "../../domain/shared/asset-references.js";
import { workspaceRefOf, type WorkspaceRef } from "../../domain/access/roles.js";
import { idKindOf } from "../../domain/shared/ids.js";
import { getWorkspace, type WorkspaceReference } from "../../domain/shared/workspace-references.js";
import { t, tRich } from "../../language/translate.js";
import { AssetBadge } from "../layout/badges.js";
import { Select, TextInput, type Option } from "../forms/controls.js";
import type { FormRequest } from "../forms/form-spec.js";
import { InventoryNumber } from "../layout/facts.js";

/** The asset or place of a new task, if the form's URL specifies one. */
export interface Site {
  asset?: AssetRecord;
  workspace?: WorkspaceReference;
  /** The place of the work. Null for an asset without a workspace. */
  place?: WorkspaceRef;
}

export async function readSite({ db, caller, query }: FormRequest): Promise<Site> {
  if (query("asset") !== "") {
    const reference = query("asset");
    const isId = idKindOf(reference) === "asset";
    const id = isId ? reference : await getAssetId(db, caller, reference);
    const asset = await getVisibleAsset(db, caller, id);
    return { asset, place: workspaceRefOf(asset) };
  }
  if (query("workspace") === "") return {};
  const workspace = await getWorkspace(db, caller, query("workspace"));
  return { workspace, place: workspace };
}

const soft = (words: ComponentChildren) => <span class="soft">{words}</span>;

/** The asset or place of the work, from the address or to choose. */
export function SiteFields({
  site: { asset, workspace },
  workspaces,
}: {
  site: Site;
  workspaces: readonly Option[];
}): VNode {
  if (asset !== undefined) {
    return (
      <p class="task-site">
        {tRich("<soft>For</soft> {asset}", {
          soft,
          asset: (
            <a href={`/assets/${asset.id}`} dir="auto">
              {asset.name}
            </a>
          ),
        })}{" "}
        <InventoryNumber>{asset.inventory_number}</InventoryNumber>{" "}
        <AssetBadge state={asset.state} />
      </p>
    );
  }
  if (workspace !== undefined) {
    return (
      <p class="task-site">
        {tRich("{workspace} <soft>(whole workspace)</soft>", {
          soft,
          workspace: <strong dir="auto">{workspace.name}</strong>,
        })}{" "}
        <a href="/tasks/new">{t("Choose an asset instead")}</a>
      </p>
    );
  }
  return (
    <fieldset>
      <legend>{t("What is this task for?")}</legend>
      <p class="help">{t("Choose an asset, or a workspace for work on a whole place.")}</p>
      <div class="field-row">
        <TextInput name="asset_id" isAlternative help={t("Name or inventory number.")} />
        <Select
          name="workspace_id"
          isAlternative
          help={t("Only for work without an asset.")}
          options={workspaces}
          empty={t("None")}
        />
      </div>
    </fieldset>
  );
}
