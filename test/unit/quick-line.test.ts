import { expect, test } from "vitest";
import { readQuickLine } from "../../server/src/web/tasks/quick-line.js";

const people = [
  { value: "usr_1", label: "Pavel Dvorak" },
  { value: "usr_2", label: "Ana Keller" },
  { value: "usr_3", label: "Ana Lind" },
];
// A Monday.
const read = (line: string) => readQuickLine(line, { today: "2026-11-30", people });

test.each([
  [
    "Fix lift B door tomorrow @Pavel !high",
    {
      title: "Fix lift B door",
      due_date: "2026-12-01",
      assigned_to_user_id: "usr_1",
      priority: "high",
    },
  ],
  [
    "Replace filter on Friday #434-000012",
    { title: "Replace filter", due_date: "2026-12-04", asset_id: "434-000012" },
  ],
  [
    "Filter tauschen am Montag !dringend",
    { title: "Filter tauschen", due_date: "2026-12-07", priority: "urgent" },
  ],
  [
    "Changer le filtre aujourd'hui @dvorak",
    { title: "Changer le filtre", due_date: "2026-11-30", assigned_to_user_id: "usr_1" },
  ],
  [
    "Cambiar filtro mañana @Ana Lind",
    { title: "Cambiar filtro", due_date: "2026-12-01", assigned_to_user_id: "usr_3" },
  ],
  ["Inspect 2027-01-15", { title: "Inspect", due_date: "2027-01-15" }],
])("reads %j", (line, values) => {
  expect(read(line)).toEqual(values);
});

test.each(["Ask @Ana about it", "Really !important", "Pump # 4", "Mail @nobody"])(
  "keeps in the title what is unknown or ambiguous: %j",
  (line) => {
    expect(read(line)).toEqual({ title: line });
  },
);
