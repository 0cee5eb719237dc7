import { randomUUID } from "node:crypto";
import type { EntityManager } from "typeorm";
import { updateAsset } from "../assets/asset-updates.js";
import { createAsset } from "../assets/create-asset.js";
import { changeAssetState } from "../assets/asset-states.js";
import type { Caller, CallerClient } from "../access/caller.js";
import { setClock } from "../access/clock.js";
import { updateTask } from "../task-changes/task-updates.js";
import { createTask } from "../task-changes/create-task.js";
import type { Action } from "./actions.js";

/** The apps that people of the sample work with; nothing is connected under these names. */
const apps: readonly [string, ...string[]] = ["Desk Assistant", "Pocket Assistant", "Shift Helper"];

/** Told after every few actions how many of all are done. */
export type OnProgress = (done: number, all: number) => void;

const progressEvery = 100;

interface Replay {
  callers: ReadonlyMap<string, Caller>;
  /** Ids by key of the plan. */
  assets: Map<string, string>;
  tasks: Map<string, string>;
}

/**
 * Does what was planned, each action at its time, through the same functions as the tools: states,
 * periods, versions and history agree because nothing else writes them.
 */
export async function replay(
  tx: EntityManager,
  callers: ReadonlyMap<string, Caller>,
  actions: readonly Action[],
  onProgress: OnProgress,
): Promise<void> {
  const state: Replay = { callers, assets: new Map(), tasks: new Map() };
  const clients = createClients(callers);
  for (const [index, action] of actions.entries()) {
    const { actor, source = "web", at } = action;
    const person = get(callers, actor);
    const client = source === "mcp" ? clients.get(actor) : undefined;
    const caller = await setClock(
      tx,
      {
        ...person,
        source,
        requestId: `req_${randomUUID()}`,
        ...(client !== undefined && { client }),
      },
      new Date(at),
    );
    await perform(tx, caller, state, action);
    if ((index + 1) % progressEvery === 0) onProgress(index + 1, actions.length);
  }
  onProgress(actions.length, actions.length);
}

function createClients(callers: ReadonlyMap<string, Caller>): Map<string, CallerClient> {
  const ids = apps.map((name) => ({ name, id: `mcp_client_${randomUUID()}` }));
  return new Map(
    [...callers.keys()].map((key, index) => [key, ids[index % ids.length] ?? { id: "", name: "" }]),
  );
}

async function perform(
  tx: EntityManager,
  caller: Caller,
  replay: Replay,
  { step, note }: Action,
): Promise<void> {
  const { assets, tasks } = replay;
  switch (step.do) {
    case "create_asset": {
      const parent = step.parent !== undefined && { parent_asset_id: get(assets, step.parent) };
      const fields = { ...step.fields, ...assigned(replay, step), ...parent };
      const { asset } = await createAsset(tx, caller, fields);
      assets.set(step.asset, asset.id);
      return;
    }
    case "update_asset": {
      const update = { ...step.fields, ...assigned(replay, step), note };
      await updateAsset(tx, caller, get(assets, step.asset), update);
      return;
    }
    case "set_state": {
      const { state, reason } = step;
      await changeAssetState(tx, caller, get(assets, step.asset), { state, reason, note });
      return;
    }
    case "create_task": {
      const fields = { ...step.fields, ...assigned(replay, step) };
      const asset_id = get(assets, step.asset);
      const { task } = await createTask(tx, caller, { ...fields, asset_id });
      tasks.set(step.task, task.id);
      return;
    }
    case "update_task": {
      const update = { ...step.fields, note };
      const { next_task } = await updateTask(tx, caller, get(tasks, step.task), update);
      if (step.next !== undefined && next_task !== undefined) tasks.set(step.next, next_task.id);
    }
  }
}

function assigned({ callers }: Replay, { assignee }: { assignee?: string }) {
  return assignee !== undefined && { assigned_to_user_id: get(callers, assignee).userId };
}

function get<Value>(map: ReadonlyMap<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The sample plan uses ${key} before it is there.`);
  return value;
}
