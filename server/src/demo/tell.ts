import { addDays } from "../domain/shared/dates.js";
import { momentOn } from "./calendar.js";
import { planContractors } from "./contractors.js";
import { planJobs } from "./jobs.js";
import { planAnsweredReports, planFailures } from "./repairs.js";
import { everyMonths, planMeters, planProcedures, planRepeatingWork } from "./recurring.js";
import {
  beginStory,
  idOf,
  planAssets,
  planStories,
  runActs,
  type Cast,
  type Story,
} from "./story.js";
import { fillWeeks, planComments, planDocuments, planRounds, planToday } from "./today.js";

/** Tells two years of the sample organization. Deterministic for each day, except for random ids. */
export function tellSample(cast: Cast, now?: number): Story {
  const story = beginStory(cast, now);
  planAssets(story);
  planStories(story);
  planProcedures(story);
  planRepeatingWork(story);
  planFailures(story);
  planAnsweredReports(story);
  planMeters(story);
  planRounds(story);
  planDocuments(story);
  planToday(story);
  planJobs(story);
  planComments(story);
  planContractors(story);
  runActs(story);
  fillWeeks(story);
  return story;
}

/** One workspace with three assets and two tasks, for small tests. */
export function tellTiny(cast: Cast): Story {
  const story = beginStory(cast);
  const { ledger, asOf } = story;
  const [workspace_id = null] = cast.workspaces.values();
  const dara = { id: idOf(story, "dara"), name: "Dara Novak", source: "web" as const };
  const begin = (daysAgo: number) => ledger.begin(momentOn(addDays(asOf, -daysAgo), 540), dara);
  const add = (name: string, category_id: string, more: object = {}) =>
    ledger.addAsset({ name, workspace_id, state: "available", category_id, ...more });
  begin(90);
  const category = ledger.addCategory("Air handling units");
  const unit = add("Air handling unit 1", category, { location: "Roof" });
  add("Supply fan 1", category, { parent_asset_id: unit.id });
  begin(60);
  const laptop = add("Laptop 1", ledger.addCategory("Laptops"));
  begin(59).setState(laptop, "in_use");
  begin(30);
  const due_date = addDays(asOf, 7);
  const plan = { plan_id: ledger.addPlan(everyMonths(3, due_date)), occurrence: 1, due_date };
  const filters = { title: "Change filters", type: "preventive", asset_id: unit.id } as const;
  const steps = ["Change supply filter", "Reset counter"];
  ledger.addTask({ ...filters, workspace_id, ...plan }, { steps });
  const repair = { title: "Replace swollen battery", type: "corrective" } as const;
  const late = { asset_id: laptop.id, workspace_id, due_date: addDays(asOf, -2) };
  begin(12).addTask({ ...repair, ...late });
  return story;
}
