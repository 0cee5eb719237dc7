import type { Attention, AttentionEntry } from "../../../domain/insight/attention.js";
import { bandOf, type AttentionBand } from "../../../domain/insight/reasons.js";

export interface BandRows<Row> {
  /** The rows on the page. */
  rows: readonly Row[];
  hidden: number;
  /** The records that the band counts: assets, or tasks. */
  total: number;
  isCapped: boolean;
}

export interface Bands {
  broken: BandRows<AttentionEntry>;
  /** Overdue tasks with the same title are one row. */
  late: BandRows<readonly AttentionEntry[]>;
  unassigned: BandRows<AttentionEntry>;
  watch: BandRows<AttentionEntry>;
}

/** Arranges the ranked entries in bands. A task that is in `skipped` or an earlier band is left out. */
export function arrangeBands(
  { entries, bands }: Attention,
  { skipped, atMost }: { skipped: ReadonlySet<string>; atMost: number },
): Bands {
  const seen = new Set(skipped);
  const take = (band: AttentionBand) => {
    const all = entries.filter(({ reason }) => bandOf[reason] === band);
    const left = all.filter((entry) => !seen.has(subjectOf(entry)));
    for (const entry of left) {
      seen.add(subjectOf(entry));
      if (band === "broken") seen.add(entry.asset?.id ?? "");
    }
    const { total, isCapped } = bands[band];
    return { left, total: total - (all.length - left.length), isCapped };
  };
  const show = <Row>(rows: readonly Row[], { total, isCapped }: ReturnType<typeof take>) => ({
    rows: rows.slice(0, atMost),
    hidden: Math.max(rows.length - atMost, 0),
    total,
    isCapped,
  });
  const [broken, late, unassigned, watch] = [
    take("broken"),
    take("late"),
    take("unassigned"),
    take("watch"),
  ];
  return {
    broken: show(broken.left, broken),
    late: show(groupByTitle(late.left), late),
    unassigned: show(unassigned.left, unassigned),
    watch: show(watch.left, watch),
  };
}

function subjectOf({ asset, task }: AttentionEntry): string {
  return task?.id ?? asset?.id ?? "";
}

function groupByTitle(entries: readonly AttentionEntry[]): AttentionEntry[][] {
  const groups = new Map<string, AttentionEntry[]>();
  for (const entry of entries) {
    const title = (entry.task?.title ?? "").toLowerCase();
    groups.set(title, [...(groups.get(title) ?? []), entry]);
  }
  return [...groups.values()];
}

/** "Boiler 3, 5, 7" for names that differ in their last word only. */
export function joinNames(names: readonly string[]): string[] {
  const unique = [...new Set(names)].toSorted((one, other) =>
    one.localeCompare(other, undefined, { numeric: true }),
  );
  const [first = ""] = unique;
  const head = first.slice(0, first.lastIndexOf(" ") + 1);
  const tails = unique.map((name) => name.slice(head.length));
  const isSeries =
    head !== "" &&
    unique.length > 1 &&
    unique.every((name) => name.startsWith(head)) &&
    tails.every((tail) => !tail.includes(" "));
  return isSeries ? [`${head}${tails.join(", ")}`] : unique;
}
