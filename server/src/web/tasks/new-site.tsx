import type { EntityManager } from "typeorm";
import type { VNode } from "preact";
import type { AssetRecord } from "../../domain/assets/asset-record.js";
import { getVisibleAsset } from "../../domain/assets/visible-assets.js";
import { getAssetId } from "../../domain/references/asset-references.js";
import type { Caller } from "../../domain/access/caller.js";
import { workspaceRefOf, type WorkspaceRef } from "../../domain/access/roles.js";
import {
  getWorkspace,
  type WorkspaceReference,
} from "../../domain/references/workspace-references.js";
import { AssetBadge } from "../layout/badges.js";
import { Select, TextInput, type Option } from "../forms/controls.js";
import { readFields } from "../forms/forms.js";
import { Number } from "../layout/page-parts.js";
import type { FormError } from "../layout/parts.js";
import type { TaskValues } from "./task-form-fields.js";

/** What a new task is about, as far as the address of its form says it. */
export interface Site {
  asset?: AssetRecord;
  workspace?: WorkspaceReference;
  /** Where the work is; null for an asset that is in no workspace. */
  place?: WorkspaceRef;
}

export async function readSite(db: EntityManager, caller: Caller, query: unknown): Promise<Site> {
  const { asset: reference, workspace: place } = readFields(query, ["asset", "workspace"]);
  if (reference !== "") {
    const asset = await getVisibleAsset(db, caller, await getAssetId(db, caller, reference));
    return { asset, place: workspaceRefOf(asset) };
  }
  if (place === "") return {};
  const workspace = await getWorkspace(db, caller, place);
  return { workspace, place: workspace };
}

/** What the work is on: said by the address, or to be chosen. */
export function SiteFields({
  site: { asset, workspace },
  workspaces,
  ...shared
}: {
  site: Site;
  workspaces: readonly Option[];
  values: TaskValues;
  errors: readonly FormError[];
}): VNode {
  if (asset !== undefined) {
    return (
      <p class="task-site">
        <span class="soft">For</span> <a href={`/assets/${asset.id}`}>{asset.name}</a>{" "}
        <Number>{asset.inventory_number}</Number> <AssetBadge state={asset.state} />
      </p>
    );
  }
  if (workspace !== undefined) {
    return (
      <p class="task-site">
        <span class="soft">For work on</span> <strong>{workspace.name}</strong>{" "}
        <span class="soft">as a place</span> <a href="/tasks/new">Choose an asset instead</a>
      </p>
    );
  }
  return (
    <fieldset>
      <legend>What the work is on</legend>
      <p class="help">An asset, or a workspace for work on a place as a whole.</p>
      <div class="field-row">
        <TextInput
          {...shared}
          name="asset_id"
          label="Asset"
          help="Its inventory number, as on the label."
        />
        <Select
          {...shared}
          name="workspace_id"
          label="Workspace"
          help="Only for work without an asset."
          options={workspaces}
          empty="None"
        />
      </div>
    </fieldset>
  );
}
