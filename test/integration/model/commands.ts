import fc from "fast-check";
import type { AssetState, TaskState } from "./model.js";

/** One tool call. The numbers select among the objects that exist at that time. */
export type Command =
  | { do: "create asset"; state: Exclude<AssetState, "deleted">; place: number }
  | { do: "set state"; asset: number; state: AssetState }
  | { do: "locate"; asset: number; location: string }
  | { do: "move"; asset: number; place: number }
  | { do: "note"; asset: number }
  | {
      do: "create task";
      asset: number;
      due: number | undefined;
      downtime: boolean;
      repeat: { every: number; unit: "day" | "week" } | undefined;
    }
  | { do: "reschedule"; task: number; due: number }
  | { do: "progress"; task: number; state: TaskState }
  | { do: "force delete"; asset: number };

const index = fc.nat(20);
const place = fc.nat(2);
const due = fc.integer({ min: -40, max: 40 });
const living = fc.constantFrom(
  "available" as const,
  "in_use" as const,
  "in_maintenance" as const,
  "out_of_service" as const,
  "stored" as const,
);

export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("create asset"), state: living, place }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("set state"),
      asset: index,
      state: fc.oneof(living, fc.constant("deleted" as const)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("locate"),
      asset: index,
      location: fc.constantFrom("Roof", "Bay 3"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("move"), asset: index, place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("note"), asset: index }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("create task"),
      asset: index,
      due: fc.option(due, { nil: undefined }),
      downtime: fc.boolean(),
      repeat: fc.option(
        fc.record({
          every: fc.integer({ min: 1, max: 30 }),
          unit: fc.constantFrom("day" as const, "week" as const),
        }),
        { nil: undefined },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("reschedule"), task: index, due }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("progress"),
      task: index,
      state: fc.constantFrom(
        "scheduled" as const,
        "in_progress" as const,
        "on_hold" as const,
        "completed" as const,
        "cancelled" as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("force delete"), asset: index }) },
);
