import { randomUUID } from "node:crypto";
import type { Tx } from "../db/database.js";
import { updateAsset } from "../domain/assets/asset-updates.js";
import { createAsset } from "../domain/assets/create-asset.js";
import { changeAssetState } from "../domain/assets/change-asset-state.js";
import type { Caller } from "../domain/access/caller.js";
import { setClock } from "../domain/access/clock.js";
import { updateTask } from "../domain/tasks/task-updates.js";
import { createTask } from "../domain/tasks/create-task.js";
import type { Action, Step } from "./plan/steps.js";

/** Apps that the sample's people use. No connection has these names. */
const apps = ["Desk Assistant", "Pocket Assistant", "Shift Helper"].map((name) => ({
  name,
  id: `mcp_client_${randomUUID()}`,
}));

/** Called after every few actions with the number of finished actions. */
export type OnProgress = (done: number, all: number) => void | Promise<void>;

/** Runs work in a separate transaction, or in the transaction that contains everything. */
export type InTransaction = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

const actionsAtOnce = 25;

/**
 * Runs the planned actions at their times through the tools' functions. States, periods, versions
 * and history are consistent, because nothing else writes them.
 */
export async function replay(
  inTransaction: InTransaction,
  callers: ReadonlyMap<string, Caller>,
  actions: readonly Action[],
  onProgress: OnProgress,
): Promise<void> {
  const keys = [...callers.keys()];
  /** Ids of assets, tasks and people, by key of the plan. */
  const ids = new Map([...callers].map(([key, { userId }]) => [key, userId]));
  const act = async (tx: Tx, { actor, source, at, step }: Action) => {
    const client = source === "mcp" ? apps[keys.indexOf(actor) % apps.length] : undefined;
    const caller: Caller = {
      ...get(callers, actor),
      source,
      requestId: `req_${randomUUID()}`,
      at: new Date(at),
      ...(client !== undefined && { client }),
    };
    await setClock(tx, new Date(at));
    await perform(tx, caller, ids, step);
  };
  for (let done = 0; done < actions.length;) {
    const next = actions.slice(done, done + actionsAtOnce);
    await inTransaction(async (tx) => {
      for (const action of next) await act(tx, action);
    });
    done += next.length;
    await onProgress(done, actions.length);
  }
}

async function perform(
  tx: Tx,
  caller: Caller,
  ids: Map<string, string>,
  step: Step,
): Promise<void> {
  switch (step.do) {
    case "create_asset": {
      const { asset } = await createAsset(tx, caller, withIds(ids, step.fields));
      ids.set(step.asset, asset.id);
      return;
    }
    case "update_asset":
      await updateAsset(tx, caller, get(ids, step.asset), withIds(ids, step.fields));
      return;
    case "set_state":
      await changeAssetState(tx, caller, get(ids, step.asset), step.fields);
      return;
    case "create_task": {
      const { task } = await createTask(tx, caller, withIds(ids, step.fields));
      ids.set(step.task, task.id);
      return;
    }
    case "update_task": {
      const { next_task } = await updateTask(tx, caller, get(ids, step.task), step.fields);
      if (step.next !== undefined && next_task !== undefined) ids.set(step.next, next_task.id);
    }
  }
}

const references = ["asset_id", "parent_asset_id", "assigned_to_user_id"];

function withIds<Fields extends object>(ids: ReadonlyMap<string, string>, fields: Fields): Fields {
  const found = Object.entries(fields)
    .filter(([name, key]) => references.includes(name) && key !== undefined)
    .map(([name, key]) => [name, get(ids, String(key))]);
  return { ...fields, ...Object.fromEntries(found) } as Fields;
}

function get<Value>(map: ReadonlyMap<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The sample plan uses ${key} before it is there.`);
  return value;
}
