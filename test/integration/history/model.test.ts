import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { command, type Command } from "../model/commands.js";
import { Model, type ModelAsset, type ModelTask, type Outcome } from "../model/model.js";

interface Session {
  owner: Connected;
  model: Model;
  places: (string | undefined)[];
  today: string;
}

interface NextTask {
  next_task?: { id: string; due_date: string };
}

describe("random sequences of calls", () => {
  const testApp = useApp();

  test("match a plain model in states, versions, history, and statistics", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40 }), async (commands) => {
        const session = await start();
        for (const next of commands) {
          const touched = await run(session, next);
          if (touched !== undefined) await compare(session, touched);
        }
        await compareAll(session);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  async function start(): Promise<Session> {
    const owner = await connect(testApp());
    const { today } = await owner.ok<{ today: string }>("get_current_user");
    const places: (string | undefined)[] = [undefined];
    for (const name of ["Lab", "Yard"]) {
      const made = await owner.ok<{ workspace: { id: string } }>("create_workspace", { name });
      places.push(made.workspace.id);
    }
    return { owner, model: new Model(), places, today };
  }

  /** Runs a command in the product and the model. Returns its asset. */
  async function run(session: Session, next: Command): Promise<ModelAsset | undefined> {
    const { model, places } = session;
    if (next.do === "create asset") return createAsset(session, next.state, places[next.place]);
    if ("task" in next) {
      const task = pick(model.tasks, next.task);
      if (task === undefined) return undefined;
      await runOnTask(session, task, next);
      return task.asset;
    }
    const asset = pick(model.assets, next.asset);
    if (asset === undefined) return undefined;
    return runOnAsset(session, asset, next);
  }

  async function createAsset(
    { owner, model }: Session,
    state: Exclude<ModelAsset["state"], "deleted">,
    place: string | undefined,
  ): Promise<ModelAsset> {
    const { asset } = await owner.ok<{ asset: { id: string; inventory_number: string } }>(
      "create_asset",
      { name: "Thing", state, workspace_id: place },
    );
    return model.createAsset({ id: asset.id, number: asset.inventory_number, state, place });
  }

  async function runOnAsset(
    session: Session,
    asset: ModelAsset,
    next: Extract<Command, { asset: number }>,
  ): Promise<ModelAsset | undefined> {
    const { owner, model, places } = session;
    const asset_id = asset.id;
    if (next.do === "create task") return createTask(session, asset, next);
    if (next.do === "force delete") {
      await owner.ok("force_delete_asset", { asset_id, confirm_inventory_number: asset.number });
      model.forceDelete(asset);
      return undefined;
    }
    if (next.do === "set state") {
      const args = { asset_id, state: next.state };
      await agree(owner, "update_asset_state", args, model.setState(asset, next.state));
    } else if (next.do === "locate") {
      const args = { asset_id, location: next.location };
      await agree(owner, "update_asset", args, model.locate(asset, next.location));
    } else if (next.do === "note") {
      await agree(owner, "update_asset", { asset_id, note: "Seen." }, model.note(asset));
    } else {
      const place = places[next.place];
      const args =
        place === undefined ? { clear_fields: ["workspace_id"] } : { workspace_id: place };
      await agree(owner, "update_asset", { asset_id, ...args }, model.move(asset, place));
    }
    return asset;
  }

  async function createTask(
    { owner, model, today }: Session,
    asset: ModelAsset,
    { due, downtime, repeat }: Extract<Command, { do: "create task" }>,
  ): Promise<ModelAsset> {
    const repeats = due === undefined ? undefined : repeat;
    const answer = await agree(
      owner,
      "create_maintenance_task",
      {
        asset_id: asset.id,
        title: "Work",
        due_date: due === undefined ? undefined : dayFrom(today, due),
        requires_downtime: downtime,
        recurrence: repeats,
      },
      model.canPlan(asset),
    );
    if (answer !== undefined) {
      const { id } = answer["task"] as { id: string };
      const every = repeats && repeats.every * (repeats.unit === "week" ? 7 : 1);
      model.createTask({ id, asset, due, downtime, every });
    }
    return asset;
  }

  async function runOnTask(
    { owner, model, today }: Session,
    task: ModelTask,
    next: Extract<Command, { task: number }>,
  ): Promise<void> {
    const task_id = task.id;
    if (next.do === "reschedule") {
      const args = { task_id, due_date: dayFrom(today, next.due) };
      await agree(owner, "update_maintenance_task", args, model.reschedule(task, next.due));
      return;
    }
    const expected = model.progress(task, next.state);
    const answer = await agree(
      owner,
      "update_maintenance_task",
      { task_id, state: next.state },
      expected,
    );
    if (answer === undefined) return;
    const { next_task } = answer as NextTask;
    const day = expected.next === undefined ? undefined : dayFrom(today, expected.next);
    expect(next_task?.due_date).toBe(day);
    if (next_task === undefined) return;
    const { asset, downtime, every } = task;
    model.createTask({ id: next_task.id, asset, due: expected.next, downtime, every });
  }

  /** Expects the call to succeed or be refused as in the model. */
  async function agree(
    owner: Connected,
    tool: string,
    args: Json,
    { refused }: Outcome,
  ): Promise<Json | undefined> {
    if (refused === undefined) return owner.ok(tool, args);
    expect((await owner.refused(tool, args)).code).toBe(refused);
    return undefined;
  }

  async function compare(session: Session, asset: ModelAsset): Promise<void> {
    const { owner, model } = session;
    const read = await owner.ok<{ asset: Json }>("get_asset", { asset_id: asset.id });
    const { state, version, location, place } = asset;
    const shown = read.asset;
    expect(shown).toMatchObject({ state, version });
    expect([shown["location"], shown["workspace_id"]]).toEqual([location, place]);
    await compareHistory(session, asset);
    expect(await owner.ok("get_organization_stats")).toMatchObject(model.figures());
  }

  async function compareHistory({ owner }: Session, { id, events }: ModelAsset): Promise<void> {
    const found = await owner.ok<{ events: { type: string }[]; total_count: number }>(
      "search_asset_history",
      { asset_id: id, limit: 100 },
    );
    expect(found.events.map(({ type }) => type).toSorted()).toEqual(events.toSorted());
    expect(found.total_count).toBe(events.length);
  }

  async function compareAll(session: Session): Promise<void> {
    const { owner, model, today } = session;
    for (const asset of model.assets) await compare(session, asset);
    for (const task of model.tasks) {
      const read = await owner.ok<{ task: Json }>("get_maintenance_task", { task_id: task.id });
      expect(read.task["version"]).toBe(task.version);
      expect(read.task["progress"] ?? read.task["state"]).toBe(task.state);
      expect(read.task["due_date"]).toBe(
        task.due === undefined ? undefined : dayFrom(today, task.due),
      );
    }
  }
});

function pick<Item>(list: readonly Item[], index: number): Item | undefined {
  return list[index % Math.max(1, list.length)];
}

function dayFrom(today: string, days: number): string {
  return new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
}
