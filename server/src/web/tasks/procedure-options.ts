import type { ProcedureRow } from "../../domain/tasks/procedures.js";
import type { Option } from "../forms/controls.js";
import type { OpenedTask } from "./read-task.js";

interface OfCategory {
  category: string | null;
}

/** Procedures as options. Those for the asset's category come first. */
export function toProcedureOptions(
  procedures: readonly ProcedureRow[],
  asset: OfCategory | null,
): Option[] {
  const fits = ({ category }: OfCategory) => category !== null && category === asset?.category;
  return [...procedures.filter(fits), ...procedures.filter((one) => !fits(one))].map((one) => ({
    value: one.id,
    label: one.category === null ? one.name : `${one.name} (${one.category})`,
  }));
}

/** The procedures for a task's asset, and the task's own, even if it is archived. */
export function toProcedureOptionsOf(
  { task, asset }: OpenedTask,
  procedures: readonly ProcedureRow[],
): Option[] {
  const { procedure_id: own, procedure } = task;
  const fitting = procedures.filter(
    ({ id, category }) => category === null || category === asset?.category || id === own,
  );
  const options = toProcedureOptions(fitting, asset);
  if (own === null || fitting.some(({ id }) => id === own)) return options;
  return [{ value: own, label: procedure ?? "" }, ...options];
}
