/**
 * SQL for the total cost of `task`, the alias of a maintenance_tasks row, in its currency. NULL if
 * no cost is recorded.
 */
export function totalCost(task: string): string {
  return `CASE WHEN num_nonnulls(${task}.labor_cost, ${task}.parts_cost, ${task}.other_cost) > 0
    THEN coalesce(${task}.labor_cost, 0) + coalesce(${task}.parts_cost, 0)
      + coalesce(${task}.other_cost, 0) END`;
}
