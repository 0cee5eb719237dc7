import { beforeAll } from "vitest";
import type { ChangeSetRow } from "../../server/src/db/entities/history.js";
import { commit } from "../../server/src/domain/history/transactions.js";
import { continueUndo, type KeptRecord } from "../../server/src/domain/history/continue-undo.js";
import { startUndo, startUndoOf } from "../../server/src/domain/history/undo.js";
import type { TestApp } from "./app.js";
import { toCaller, type Member } from "./builders.js";
import { connect, type Connected, type Json } from "./mcp.js";
import type { CreatedTask } from "./tasks.js";

/** One member whose two apps both change things. */
export interface UndoScene {
  member: Member;
  app: Connected;
  person: Connected;
}

/** Changes by a member's app, between those of others, with undo and redo. */
export function useUndo(current: () => TestApp) {
  beforeAll(async () => {
    await current().db.query(
      `INSERT INTO oauth_clients (id, name, redirect_uris, grant_types, token_endpoint_auth_method)
       VALUES ('undone-app', 'Undone app', '{}', '{}', 'none')`,
    );
  });

  async function start(): Promise<UndoScene> {
    const person = await connect(current());
    const { member } = person;
    return { member, person, app: await connect(current(), { member, clientId: "undone-app" }) };
  }

  async function addAsset(by: Connected, fields: Json = {}): Promise<string> {
    const made = await by.ok<{ asset: { id: string } }>("create_asset", {
      name: "Truck",
      ...fields,
    });
    return made.asset.id;
  }

  async function addTask(by: Connected, fields: Json): Promise<string> {
    const made = await by.ok<CreatedTask>("create_maintenance_task", { title: "Oil", ...fields });
    return made.task.id;
  }

  const change = (by: Connected, task_id: string, fields: Json) =>
    by.ok<{ next_task?: { id: string } }>("update_maintenance_task", { task_id, ...fields });
  const setState = (by: Connected, asset_id: string, fields: Json) =>
    by.ok("update_asset_state", { asset_id, ...fields });
  const count = (by: Connected, asset_id: string, km: number) =>
    by.ok("update_asset", { asset_id, meter_readings: { km } });

  async function undo({ member }: UndoScene): Promise<string> {
    const caller = toCaller(member);
    const [from, until] = [-3_600_000, 1000].map((ms) => new Date(Date.now() + ms).toISOString());
    const selection = {
      ...{ clientId: "undone-app", userId: member.userId },
      ...{ from: String(from), until: String(until) },
    };
    const { db } = current();
    const id = await commit({ db, caller }, (tx) =>
      startUndo(tx, caller, { selection, title: "Undone app" }),
    );
    await continueUndo(db, caller, id);
    return id;
  }

  async function redo({ member }: UndoScene, set: string): Promise<string> {
    const { db } = current();
    const caller = toCaller(member);
    const { undo: id } = await commit({ db, caller }, (tx) => startUndoOf(tx, caller, set));
    await continueUndo(db, caller, id);
    return id;
  }

  /** The conflicts of a change set: the field and the reason. */
  async function toldBy(set: string): Promise<[string | undefined, string | undefined][]> {
    const rows = await current().db.query<Pick<ChangeSetRow, "details">>(
      "SELECT details FROM change_set_rows WHERE change_set_id = $1 ORDER BY line",
      [set],
    );
    return rows.flatMap(({ details }) =>
      (details as KeptRecord).conflicts.map(
        ({ field, refusal }) => [field, refusal?.key] as [string | undefined, string | undefined],
      ),
    );
  }

  const taskOf = async (id: string) =>
    (await current().db.query<Json>("SELECT * FROM maintenance_tasks WHERE id = $1", [id]))[0];
  const assetOf = async (id: string) =>
    (await current().db.query<Json>("SELECT * FROM assets WHERE id = $1", [id]))[0];
  const read = async (by: Connected, task_id: string) =>
    (await by.ok<{ task: Json }>("get_maintenance_task", { task_id })).task;

  return {
    start,
    addAsset,
    addTask,
    change,
    setState,
    count,
    undo,
    redo,
    toldBy,
    taskOf,
    assetOf,
    read,
  };
}
