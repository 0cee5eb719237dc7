import type { Change } from "../../server/src/domain/history/record-events.js";

/** The response of create_maintenance_task. */
export interface CreatedTask {
  task: { id: string; task_number: string; state: string; version: number; due_date?: string };
  next_due_date?: string;
  warnings?: string[];
}

/** The response of update_maintenance_task. */
export interface ChangedTask {
  task: CreatedTask["task"] & { title: string; progress?: string };
  changed: Change[];
  next_task?: { id: string; task_number: string; due_date: string };
  asset_state?: string;
  warnings?: string[];
}

/** A calendar day in UTC, the time zone of test organizations. */
export function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
