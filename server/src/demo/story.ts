import type { AssetState } from "../db/entities/assets.js";
import { addDays, addMonths } from "../domain/shared/dates.js";
import { createRandom, dayMs, momentOn, toWorkday } from "./calendar.js";
import {
  assets,
  endingWarranties,
  kinds,
  otherStates,
  people,
  retired,
  suppliers,
  type Person,
} from "./data/northgate.js";
import { edgeCases, storyAssets, storySteps } from "./data/stories.js";
import { toSay, type SampleLanguage } from "./data/tables.js";
import { down, openReports } from "./data/work.js";
import { Ledger, type AssetRow, type Author } from "./ledger.js";

export const sampleMonths = 24;
const seed = 20_261_122;

/** The database's ids of what exists before the story: people by key, workspaces by name. */
export interface Cast {
  asOf: string;
  people: ReadonlyMap<string, { userId: string; userName: string }>;
  workspaces: ReadonlyMap<string, string>;
  inventoryPrefix: string;
  hasEdgeCases: boolean;
  language: SampleLanguage;
}

/** A picture of a kind of asset, or a PDF with these lines. */
export interface SampleFile {
  /** Given if a step's answer names it. */
  id?: string;
  owner:
    | { asset_id: string }
    | { task_id: string; report_id?: string; asset_id?: string; task_link_id?: string };
  name: string;
  category: string;
  look: "" | "before" | "after";
  lines?: string[];
  by: string | null;
  at: Date;
}

/** In minutes. Nothing of the story is later on the reference day. */
export const endOfMorning = 460;

/** Actions of the sample's people until the morning of the reference day. */
export type Story = ReturnType<typeof beginStory>;

export function beginStory(cast: Cast, now = Date.now()) {
  const say = toSay(cast.language);
  const moved = (line: (typeof assets)[number]) =>
    line.name === "Van NF 214" ? "Vehicle Yard South" : line.workspace;
  return {
    ...cast,
    say,
    /** When the story is told. */
    now,
    /** On which assets people wrote a note. */
    written: new Map<string, string[]>(),
    random: createRandom(seed),
    ledger: new Ledger(cast.inventoryPrefix, say),
    /** The day when the assets were imported. */
    start: toWorkday(addDays(addMonths(cast.asOf, -sampleMonths), 1)),
    assets: new Map<string, AssetRow & { category: string }>(),
    /** The ids of procedures, by the title of their work. */
    procedures: new Map<string, string>(),
    /** The assets that are in use, where they are on the reference day. */
    plannedAssets: [...storyAssets, ...assets]
      .filter(({ name }) => name !== "Defibrillator at the reception")
      .map((line) => ({ ...line, workspace: moved(line) })),
    /** Not yet in order. */
    acts: [] as { at: number; run: () => unknown }[],
    files: [] as SampleFile[],
  };
}

/**
 * Plans an action of a person, partly through their app. "": someone without an account. Returns
 * what the action made, for later actions.
 */
export function act<Made>(
  story: Story,
  { at, by, via }: { at: number; by: string; via?: "import" | "web" },
  run: (ledger: Ledger) => Made,
): () => Made {
  const isByApp = story.random.chance(0.6);
  let made: { it: Made } | undefined;
  const author = () => toAuthor(story, by, at, via ?? (isByApp ? "mcp" : "web"));
  story.acts.push({ at, run: () => (made = { it: run(story.ledger.begin(at, author())) }) });
  return () => {
    if (made === undefined) throw new Error("An action of the sample precedes its cause.");
    return made.it;
  };
}

function toAuthor(
  { people: ids, asOf }: Story,
  by: string,
  at: number,
  via: "import" | "web" | "mcp",
): Author {
  const known = ids.get(by);
  if (known === undefined)
    return { id: null, name: "Someone without an account", source: "public_scan" };
  const app = people.find(({ key }) => key === by)?.app ?? "";
  const isConnected = app !== "" && at > Date.parse(asOf) - appDays * dayMs;
  const { userId: id, userName: name } = known;
  if (via !== "mcp" || !isConnected) return { id, name, source: via === "mcp" ? "web" : via };
  return { id, name, source: "mcp", client: { id: toClientId(app), name: app } };
}

/** Apps came into use this many days before the reference day. */
const appDays = 85;

/** Shared by all samples of a database. */
export function toClientId(app: string): string {
  return `mcp_client_sample_${app.toLowerCase().replace(" ", "_")}`;
}

/** A time on the reference day. If that lies ahead, the whole morning happened just before now. */
export function momentToday({ asOf, now }: Pick<Story, "asOf" | "now">, minutes: number): number {
  return momentOn(asOf, minutes) - Math.max(0, momentOn(asOf, endOfMorning) - now);
}

/** Notes that people have not written on this asset, and not too often on others. */
export function findFresh(
  written: Story["written"],
  notes: readonly string[],
  asset: string,
): string[] {
  return notes.filter((note) => {
    const assets = written.get(note) ?? [];
    return !assets.includes(asset) && assets.length < (/\d/.test(note) ? 1 : 2);
  });
}

export function pickNote(
  { random, written }: Story,
  notes: readonly string[],
  asset: string,
): string | undefined {
  const fresh = findFresh(written, notes, asset);
  if (fresh.length === 0) return undefined;
  const note = random.pick(fresh);
  written.set(note, [...(written.get(note) ?? []), asset]);
  return note;
}

export function runActs({ acts }: Story): void {
  for (const { run } of acts.toSorted((left, right) => left.at - right.at)) run();
}

export function idOf({ people: ids }: Story, key: string): string {
  return ids.get(key)?.userId ?? "";
}

export function assetOf({ assets: all }: Story, name: string): AssetRow & { category: string } {
  const found = all.get(name);
  if (found === undefined) throw new Error(`The sample has no asset called ${name}.`);
  return found;
}

export function siteOf({ plannedAssets }: Story, name: string): string {
  return plannedAssets.find((one) => one.name === name)?.workspace ?? "";
}

/** Minutes of actual work, in steps of five. */
export function vary({ random }: Story, minutes: number, most = 125, least = 5): number {
  return Math.max(least, Math.round((minutes * random.between(80, most)) / 500) * 5);
}

/** `by` is a key. People without an account leave no name. */
export function addFile(
  { files, people: members }: Story,
  { by, at, ...file }: Omit<SampleFile, "by" | "at"> & { by: string; at: number },
): void {
  files.push({ ...file, by: members.get(by)?.userId ?? null, at: new Date(at) });
}

/** Technicians who can do work in a workspace on a day, with an admin as a fallback. */
export function findWorkers({ asOf }: Story, place: string, day: string): string[] {
  const isThere = ({ hours, lastActive }: Person) =>
    hours !== "" && (hours !== "0" || day < addDays(asOf, -(lastActive ?? 0)));
  const isOf = ([name, role]: [string, string]) => role !== "viewer" && name === place;
  const workers = people.filter((one) => isThere(one) && one.workspaces.some(isOf));
  return workers.length > 0 ? workers.map(({ key }) => key) : ["marek"];
}

const downNow = new Set([...down.map(({ asset }) => asset), openReports[0]?.asset]);
/** True while work may take the asset out of use. */
export const isFree = ({ name, state }: AssetRow) =>
  ["in_use", "available", "stored"].includes(state) && !downNow.has(name);

type NewLine = (typeof assets)[number] & { fields?: Partial<Record<string, string>> };

/** Imports the assets, with a part where their kind has one, and retires the old ones. */
export function planAssets(story: Story): void {
  const { asOf, ledger, start, hasEdgeCases, workspaces } = story;
  const begin = momentOn(start, 540);
  ledger.begin(begin, { id: null, name: "", source: "import" });
  const categories = new Map(kinds.map(({ category: name }) => [name, ledger.addCategory(name)]));
  const gone = retired.map((row) => ({ ...row, location: "", person: undefined }));
  const lines: NewLine[] = [...storyAssets, ...assets, ...gone, ...(hasEdgeCases ? edgeCases : [])];
  for (const [index, line] of lines.entries()) {
    const { category, name, workspace } = line;
    const workspace_id = workspaces.get(workspace) ?? null;
    const at = begin + index * 20_000;
    if (category === "") {
      act(story, { at, by: "dara", via: "import" }, () =>
        ledger.addAsset({ name, state: "available", workspace_id }),
      );
      continue;
    }
    const links = { category_id: categories.get(category), workspace_id };
    const fields = { ...toFields(story, line), ...links };
    const part = kinds.find((kind) => kind.category === category)?.part ?? "";
    const add = (asset: AssetRow, said: string, kind: string) => {
      story.assets.set(said, Object.assign(asset, { category: kind }));
      const file = {
        name: `${story.say(asset.name).slice(0, 150)}.jpg`,
        category,
        look: "",
      } as const;
      addFile(story, { owner: { asset_id: asset.id }, ...file, by: "dara", at });
      return asset;
    };
    act(story, { at, by: "dara", via: "import" }, () => {
      const { id: parent_asset_id } = add(ledger.addAsset(fields), name, category);
      if (part === "") return;
      const [ofPart, said] = [name, story.say(name)].map((one) => one.split(",")[0] ?? "");
      const { state, condition, location } = fields;
      const own = { name: `${story.say(part)}, ${said}`, state, condition, location };
      const child = ledger.addAsset({ ...links, ...own, parent_asset_id });
      add(child, `${part}, ${ofPart}`, "Parts");
    });
  }
  for (const { name, daysAgo, reason, note } of retired) {
    const at = momentOn(toWorkday(addDays(asOf, -daysAgo)), 620);
    const change = { note, reason: reason as "sold" };
    act(story, { at, by: "marek" }, () => {
      ledger.setState(assetOf(story, name), "deleted", change);
    });
  }
}

function toFields(story: Story, { category, name, location, person, fields = {} }: NewLine) {
  const { random } = story;
  const { criticality, models, price, warranty } = kindOf(category);
  const model = models.find((one) => name.startsWith(one)) ?? random.pick(models);
  const bought = addDays(story.start, -random.between(20, 1300));
  const ends = endingWarranties[name];
  const expires = ends === undefined ? addDays(bought, warranty * 365) : addDays(story.asOf, ends);
  const key = people.find((one) => one.name === person)?.key;
  return {
    ...{ name, criticality, location: location === "" ? null : location },
    ...{ manufacturer: model.split(" ")[0], model: model.slice(model.indexOf(" ") + 1) },
    serial_number: `${category.slice(0, 2).toUpperCase()}-${random.between(20_000, 99_999)}`,
    assigned_to_user_id: key === undefined ? null : idOf(story, key),
    ...{ purchase_date: bought, in_service_date: addDays(bought, 14), currency: "EUR" },
    ...{ warranty_expires_on: expires, purchase_cost: random.between(...price) },
    condition: random.pick(["excellent", "good", "good", "good", "fair"]),
    state: otherStates[name] ?? "in_use",
    supplier: random.chance(0.4) ? random.pick(suppliers) : null,
    ...fields,
  };
}

function kindOf(category: string): (typeof kinds)[number] {
  const kind = kinds.find((one) => one.category === category);
  if (kind === undefined) throw new Error(`The sample has no kind called ${category}.`);
  return kind;
}

/** Plans what happened to the assets of the stories by hand. */
export function planStories(story: Story): void {
  const { asOf, ledger, random, workspaces } = story;
  for (const { asset: name, daysAgo, by, changes, note } of storySteps) {
    const day = toWorkday(addDays(asOf, -daysAgo));
    const run = () => {
      const asset = assetOf(story, name);
      const told = note === "" ? {} : { note };
      const { state, reason, assigned_to: person = "", workspace = "", condition } = changes;
      if (state !== undefined)
        ledger.setState(asset, state as AssetState, { ...told, reason: reason as "lost" });
      const place = { from: nameOf(story, asset.workspace_id), to: workspace };
      if (workspace !== "") {
        const moved = { ...told, changes: [{ field: "workspace_name", ...place }] };
        const to = { workspace_id: workspaces.get(workspace) };
        ledger.changeAsset(asset, "asset_moved", to, moved);
      }
      if (person !== "") {
        const of = (id: unknown) => people.find(({ key }) => idOf(story, key) === id)?.name;
        const to = { assigned_to_user_id: idOf(story, person) };
        const from = of(asset["assigned_to_user_id"]);
        const change = { field: "assigned_to", ...(from && { from }), to: of(idOf(story, person)) };
        const moved = { ...(workspace === "" && told), changes: [change] };
        ledger.changeAsset(asset, "asset_assigned", to, moved);
      }
      if (condition !== undefined) ledger.changeAsset(asset, "asset_updated", { condition }, told);
      if (changes["note"] !== undefined) ledger.note({ asset }, note);
    };
    act(story, { at: momentOn(day, random.between(420, 900)), by }, run);
  }
}

function nameOf({ workspaces }: Story, id: string | null): string {
  return [...workspaces].find(([, one]) => one === id)?.[0] ?? "";
}
