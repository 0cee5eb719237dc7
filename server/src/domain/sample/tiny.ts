import type { Step } from "./actions.js";
import { addDays, dayMs, hourMs } from "./calendar.js";
import type { Draft } from "./draft.js";

/** One workspace with three assets and two tasks, for tests that want little. */
export function planTiny(draft: Draft): void {
  const { asOf } = draft;
  const place = "Main Facility";
  const unit = { workspace_id: place, category: "Air handling units", location: "Roof" };
  tell(draft, 90, {
    do: "create_asset",
    asset: "unit",
    fields: { name: "Air handling unit 1", ...unit },
  });
  tell(draft, 90, {
    do: "create_asset",
    asset: "fan",
    fields: { name: "Supply fan 1", ...unit },
    parent: "unit",
  });
  tell(draft, 60, {
    do: "create_asset",
    asset: "laptop",
    fields: { name: "Laptop 1", workspace_id: place, category: "Laptops" },
  });
  tell(draft, 59, { do: "set_state", asset: "laptop", state: "in_use" });
  tell(draft, 30, {
    do: "create_task",
    task: "filters",
    asset: "unit",
    fields: {
      title: "Change filters",
      due_date: addDays(asOf, 7),
      recurrence: { every: 3, unit: "month" },
      checklist: ["Change supply filter", "Reset counter"],
    },
  });
  tell(draft, 12, {
    do: "create_task",
    task: "battery",
    asset: "laptop",
    fields: { title: "Battery swollen", type: "corrective", due_date: addDays(asOf, -2) },
  });
}

function tell(draft: Draft, daysAgo: number, step: Step): void {
  draft.actions.push({
    at: draft.end - daysAgo * dayMs + 9 * hourMs + draft.actions.length * 60_000,
    actor: "dara",
    step,
    events: { own: 1, system: 0 },
  });
}
