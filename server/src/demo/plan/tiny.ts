import type { NewAsset } from "../../domain/assets/create-asset.js";
import type { NewTask } from "../../domain/tasks/create-task.js";
import { addDays, dayMs, hourMs } from "./calendar.js";
import type { Plan, Step } from "./steps.js";

/** Plans one workspace with three assets and two tasks, for small tests. */
export function planTiny({ asOf, actions, end }: Plan): void {
  const workspace_id = "Main Facility";
  const unit = { category: "Air handling units", location: "Roof", workspace_id };
  const steps: [daysAgo: number, step: Step][] = [
    [90, createAsset("unit", { name: "Air handling unit 1", ...unit })],
    [90, createAsset("fan", { name: "Supply fan 1", ...unit, parent_asset_id: "unit" })],
    [60, createAsset("laptop", { name: "Laptop 1", category: "Laptops", workspace_id })],
    [59, { do: "set_state", asset: "laptop", fields: { state: "in_use" } }],
    [
      30,
      createTask("filters", {
        asset_id: "unit",
        title: "Change filters",
        due_date: addDays(asOf, 7),
        recurrence: { every: 3, unit: "month" },
        checklist: ["Change supply filter", "Reset counter"],
      }),
    ],
    [
      12,
      createTask("battery", {
        asset_id: "laptop",
        title: "Battery swollen",
        type: "corrective",
        due_date: addDays(asOf, -2),
      }),
    ],
  ];
  for (const [index, [daysAgo, step]] of steps.entries()) {
    const at = end - daysAgo * dayMs + 9 * hourMs + index * 60_000;
    actions.push({ at, actor: "dara", source: "web", step });
  }
}

function createAsset(asset: string, fields: NewAsset): Step {
  return { do: "create_asset", asset, fields };
}

function createTask(task: string, fields: NewTask): Step {
  return { do: "create_task", task, fields };
}
