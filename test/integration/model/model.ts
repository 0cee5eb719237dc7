/*
 * A second, simplest implementation of the tools: no database, no SQL, and dates as days from
 * today. The property test compares the product with it.
 */

export type AssetState =
  "available" | "in_use" | "in_maintenance" | "out_of_service" | "stored" | "deleted";
export type TaskState = "scheduled" | "in_progress" | "on_hold" | "completed" | "cancelled";

export interface ModelAsset {
  id: string;
  number: string;
  state: AssetState;
  version: number;
  location: string | undefined;
  place: string | undefined;
  /** Types of all events of the asset and its tasks. */
  events: string[];
}

export interface ModelTask {
  id: string;
  asset: ModelAsset;
  state: TaskState;
  version: number;
  /** Days from today. */
  due: number | undefined;
  downtime: boolean;
  /** The state that the asset returns to. */
  before: AssetState | undefined;
  /** A counter value when the task was started. */
  begun: number | undefined;
  /** Days between occurrences. */
  every: number | undefined;
  hasNext: boolean;
}

export interface Outcome {
  refused?: string;
  /** Days from today to the next occurrence's due date. */
  next?: number;
}

const reopen: Partial<Record<TaskState, TaskState>> = {
  completed: "in_progress",
  cancelled: "scheduled",
};
const isOpen = (state: TaskState) => !["completed", "cancelled"].includes(state);

export class Model {
  readonly assets: ModelAsset[] = [];
  readonly tasks: ModelTask[] = [];
  #count = 0;

  createAsset(asset: Pick<ModelAsset, "id" | "number" | "state" | "place">): ModelAsset {
    const made = { ...asset, version: 1, location: undefined, events: ["asset_created"] };
    this.assets.push(made);
    return made;
  }

  setState(asset: ModelAsset, state: AssetState, byWork = false): Outcome {
    if (asset.state === state) return {};
    const wasDeleted = asset.state === "deleted";
    if (wasDeleted && !["available", "in_use", "stored"].includes(state)) {
      return { refused: "invalid_transition" };
    }
    if (asset.state === "in_maintenance" && !byWork) {
      for (const task of this.tasks) if (task.asset === asset) task.before = undefined;
    }
    asset.state = state;
    asset.version += 1;
    if (state === "deleted") asset.events.push("asset_deleted");
    else asset.events.push(wasDeleted ? "asset_restored" : "asset_state_changed");
    return {};
  }

  locate(asset: ModelAsset, location: string): Outcome {
    if (asset.state === "deleted") return { refused: "invalid_transition" };
    if (asset.location === location) return {};
    asset.location = location;
    asset.version += 1;
    asset.events.push("asset_updated");
    return {};
  }

  move(asset: ModelAsset, place: string | undefined): Outcome {
    if (asset.place === place) return {};
    asset.place = place;
    asset.version += 1;
    asset.events.push("asset_moved");
    return {};
  }

  note(asset: ModelAsset): Outcome {
    asset.events.push("note_added");
    return {};
  }

  canPlan(asset: ModelAsset): Outcome {
    return asset.state === "deleted" ? { refused: "invalid_transition" } : {};
  }

  createTask(task: Pick<ModelTask, "id" | "asset" | "due" | "downtime" | "every">): ModelTask {
    task.asset.events.push("task_created");
    const made: ModelTask = {
      ...task,
      state: "scheduled",
      version: 1,
      before: undefined,
      begun: undefined,
      hasNext: false,
    };
    this.tasks.push(made);
    return made;
  }

  reschedule(task: ModelTask, due: number): Outcome {
    if (task.asset.state === "deleted") return { refused: "invalid_transition" };
    if (task.due === due) return {};
    if (!isOpen(task.state)) return { refused: "invalid_transition" };
    task.due = due;
    task.version += 1;
    task.asset.events.push("task_updated");
    return {};
  }

  progress(task: ModelTask, state: TaskState): Outcome {
    if (task.asset.state === "deleted") return { refused: "invalid_transition" };
    const from = task.state;
    if (from === state) return {};
    if (!isOpen(from) && reopen[from] !== state) return { refused: "invalid_transition" };
    task.state = state;
    task.version += 1;
    if (state === "completed") task.asset.events.push("task_completed");
    else if (state === "cancelled") task.asset.events.push("task_cancelled");
    else task.asset.events.push("task_state_changed");
    if (state === "in_progress") this.#begin(task);
    else if (state !== "on_hold") this.#end(task);
    if (state === "scheduled") task.begun = undefined;
    return isOpen(from) && !isOpen(state) ? this.#repeat(task) : {};
  }

  #begin(task: ModelTask): void {
    task.begun ??= this.#count += 1;
    const { asset } = task;
    if (!task.downtime || asset.state === "in_maintenance") return;
    task.before = asset.state;
    this.setState(asset, "in_maintenance", true);
  }

  #end(task: ModelTask): void {
    const { asset, before } = task;
    task.before = undefined;
    if (before === undefined || asset.state !== "in_maintenance") return;
    const others = this.tasks.filter(
      (other) =>
        other !== task &&
        other.asset === asset &&
        other.downtime &&
        other.begun !== undefined &&
        ["in_progress", "on_hold"].includes(other.state),
    );
    if (others.some((other) => other.before !== undefined)) return;
    const [heir] = others.toSorted((one, two) => (one.begun ?? 0) - (two.begun ?? 0));
    if (heir === undefined) this.setState(asset, before, true);
    else heir.before = before;
  }

  /** The caller adds the occurrence, because only the product knows its id. */
  #repeat(task: ModelTask): Outcome {
    if (task.every === undefined || task.due === undefined || task.hasNext) return {};
    task.hasNext = true;
    let next = task.due + task.every;
    while (next < 0) next += task.every;
    return { next };
  }

  forceDelete(asset: ModelAsset): void {
    this.assets.splice(this.assets.indexOf(asset), 1);
    const kept = this.tasks.filter((task) => task.asset !== asset);
    this.tasks.splice(0, this.tasks.length, ...kept);
  }

  figures() {
    const present = this.assets.filter(({ state }) => state !== "deleted");
    const tasks = this.tasks.filter(({ asset }) => asset.state !== "deleted");
    const shown = tasks.map(({ state, due }) =>
      isOpen(state) && due !== undefined && due < 0 ? "overdue" : state,
    );
    const count = (list: string[], names: string[]) =>
      Object.fromEntries(names.map((name) => [name, list.filter((item) => item === name).length]));
    return {
      assets: {
        total: present.length,
        deleted: this.assets.length - present.length,
        by_state: count(
          present.map(({ state }) => state),
          ["available", "in_use", "in_maintenance", "out_of_service", "stored"],
        ),
        not_placed: present.filter(({ place }) => place === undefined).length,
      },
      tasks: {
        total: tasks.length,
        by_state: count(shown, [
          "scheduled",
          "in_progress",
          "on_hold",
          "overdue",
          "completed",
          "cancelled",
        ]),
      },
    };
  }
}
