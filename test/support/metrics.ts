import type { FastifyInstance } from "fastify";
import parse from "parse-prometheus-text-format";

export interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** Returns the samples of `/metrics` by name, as seen by a caller on this machine. */
export async function readMetrics(app: FastifyInstance): Promise<Map<string, Sample[]>> {
  const { body } = await app.inject("/metrics");
  const found = new Map<string, Sample[]>();
  // The parser would merge the histograms of all labels.
  const families = parse(body.replace(/^(# TYPE \S+) (histogram|summary)$/gm, "$1 untyped"));
  for (const { name, metrics } of families) {
    const samples = metrics.map(({ labels = {}, value }) => ({ labels, value: Number(value) }));
    found.set(name, [...(found.get(name) ?? []), ...samples]);
  }
  return found;
}

/** Returns the growth of each sample of a metric during `work`. Unchanged samples are omitted. */
export async function growthOf(
  app: FastifyInstance,
  name: string,
  work: () => unknown,
): Promise<Sample[]> {
  const before = (await readMetrics(app)).get(name) ?? [];
  await work();
  const after = (await readMetrics(app)).get(name) ?? [];
  const textOf = ({ labels }: Sample) => JSON.stringify(Object.entries(labels).sort());
  const known = new Map(before.map((sample) => [textOf(sample), sample.value]));
  return after
    .map(({ labels, value }) => ({
      labels,
      value: value - (known.get(textOf({ labels, value })) ?? 0),
    }))
    .filter(({ value }) => value !== 0);
}
