import { addDays } from "../domain/shared/dates.js";
import { momentOn } from "./calendar.js";
import { busy } from "./data/work.js";
import { planAnsweredReports, planFailures } from "./repairs.js";
import { planMeters, planRepeatingWork } from "./recurring.js";
import {
  beginStory,
  idOf,
  planAssets,
  planStories,
  runActs,
  type Cast,
  type Story,
} from "./story.js";
import { fillWeek, planDocuments, planRounds, planToday } from "./today.js";

/** Tells two years of the sample organization. Deterministic for each day, except for random ids. */
export function tellSample(cast: Cast, now?: number): Story {
  const story = beginStory(cast, now);
  planAssets(story);
  planStories(story);
  planRepeatingWork(story);
  planFailures(story);
  planAnsweredReports(story);
  planMeters(story);
  planRounds(story);
  planDocuments(story);
  planToday(story);
  runActs(story);
  fillWeek(story, idOf(story, busy.person));
  return story;
}

/** One workspace with three assets and two tasks, for small tests. */
export function tellTiny(cast: Cast): Story {
  const story = beginStory(cast);
  const { ledger, asOf } = story;
  const [place = null] = cast.workspaces.values();
  const where = { workspace_id: place, state: "available" as const };
  const dara = { id: idOf(story, "dara"), name: "Dara Novak", source: "web" as const };
  const begin = (daysAgo: number) => ledger.begin(momentOn(addDays(asOf, -daysAgo), 540), dara);
  begin(90);
  const category = { category_id: ledger.addCategory("Air handling units") };
  const unit = ledger.addAsset({
    name: "Air handling unit 1",
    location: "Roof",
    ...where,
    ...category,
  });
  ledger.addAsset({ name: "Supply fan 1", parent_asset_id: unit.id, ...where, ...category });
  begin(60);
  const laptop = ledger.addAsset({
    name: "Laptop 1",
    category_id: ledger.addCategory("Laptops"),
    ...where,
  });
  begin(59).setState(laptop, "in_use");
  begin(30);
  const due_date = addDays(asOf, 7);
  const rule = {
    every: 3,
    unit: "month",
    anchor: "due_date",
    anchor_day: Number(due_date.slice(8)),
  };
  ledger.addTask(
    {
      ...{
        title: "Change filters",
        type: "preventive",
        due_date,
        asset_id: unit.id,
        workspace_id: place,
      },
      ...{ plan_id: ledger.addPlan(rule), occurrence: 1 },
    },
    { steps: ["Change supply filter", "Reset counter"] },
  );
  const repair = {
    title: "Replace swollen battery",
    type: "corrective" as const,
    due_date: addDays(asOf, -2),
  };
  begin(12).addTask({ ...repair, asset_id: laptop.id, workspace_id: place });
  return story;
}
