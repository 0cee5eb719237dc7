import type { AssetState, DeletionReason } from "../../db/entities/asset.js";
import type { AssetUpdate } from "../assets/asset-updates.js";
import type { NewAsset } from "../assets/create-asset.js";
import type { TaskUpdate } from "../task-changes/task-updates.js";
import type { NewTask } from "../task-changes/create-task.js";

/**
 * What somebody does. Assets and tasks go by keys of the plan and people by theirs, because ids are
 * not known before the replay; workspaces go by name.
 */
export type Step =
  | {
      do: "create_asset";
      asset: string;
      fields: Omit<NewAsset, "parent_asset_id" | "assigned_to_user_id">;
      parent?: string;
      assignee?: string;
    }
  | {
      do: "update_asset";
      asset: string;
      fields: Omit<AssetUpdate, "assigned_to_user_id" | "note">;
      assignee?: string;
    }
  | { do: "set_state"; asset: string; state: AssetState; reason?: DeletionReason }
  | {
      do: "create_task";
      task: string;
      asset: string;
      fields: Omit<NewTask, "asset_id" | "assigned_to_user_id">;
      assignee?: string;
    }
  | {
      do: "update_task";
      task: string;
      fields: Omit<TaskUpdate, "assigned_to_user_id" | "note">;
      /** Key of the next occurrence, which this makes. */
      next?: string;
    };

export interface Action {
  at: number;
  actor: string;
  step: Step;
  note?: string;
  /** By which way; unset until all actions are known. */
  source?: "mcp" | "web" | "import";
  /** Events that this writes as the actor, and those the system writes because of it. */
  events: { own: number; system: number };
  /** Of a finished task: what the asset cost. */
  assetCost?: number | undefined;
  /** May also have come from another system by import. */
  routine?: true;
}
