import { expect, test } from "vitest";
import { taskStates } from "../../../server/src/db/entities/tasks.js";
import {
  isOpen,
  isOpenState,
  isOverdue,
  shownState,
} from "../../../server/src/domain/tasks/task-states.js";
import { useDatabase } from "../../support/database.js";

const db = useDatabase();
const today = "2026-03-01";

test("open and overdue mean the same in SQL and for a loaded row", async () => {
  const tasks = taskStates.flatMap((state) =>
    [null, "2026-02-28", today, "2026-03-02"].flatMap((due_date) =>
      [false, true].map((hidden) => ({ state, due_date, hidden })),
    ),
  );

  const found: unknown = await db().query(
    `SELECT ${isOpen("t")} AS open, ${isOverdue("t", "$2")} IS TRUE AS overdue
     FROM ROWS FROM (json_to_recordset($1) AS (state text, due_date date, hidden boolean))
       WITH ORDINALITY AS t (state, due_date, hidden, place) ORDER BY place`,
    [JSON.stringify(tasks), today],
  );

  expect(found).toEqual(
    tasks.map((task) => ({
      open: isOpenState(task.state),
      overdue: shownState(task, today).state === "overdue",
    })),
  );
});
