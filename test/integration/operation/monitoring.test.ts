import { readFileSync } from "node:fs";
import { parser as promql } from "@prometheus-io/lezer-promql";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { counted } from "../../../server/src/metrics.js";
import { useApp } from "../../support/app.js";

const current = useApp();

const read = (name: string) =>
  readFileSync(new URL(`../../../server/monitoring/${name}`, import.meta.url), "utf8");
const rules = parseYaml(read("alerts.yml")) as {
  groups: { rules: { alert: string; expr: string; labels: { severity?: string } }[] }[];
};
const dashboard = JSON.parse(read("grafana-dashboard.json")) as {
  panels: { targets: { expr: string }[] }[];
};

test("every alert has a severity, and the memory alert precedes the compose limit", () => {
  const alerts = rules.groups.flatMap((group) => group.rules);
  const memory = alerts.find(({ alert }) => alert === "FettleMemory")?.expr ?? "";

  for (const { alert, labels } of alerts) {
    expect(["critical", "warning"], alert).toContain(labels.severity);
  }
  expect(Number(memory.split(">")[1])).toBeLessThan(0.8 * 1024 ** 3);
});

/** Prometheus' own metric of every target, and the labels it adds. */
const ownMetrics = ["up"];
const ownLabels = ["job", "instance", "le"];

function namesIn(expression: string): string[] {
  const names: string[] = [];
  promql.parse(expression).iterate({
    enter: ({ name, type, from, to }) => {
      if (type.isError) throw new Error(`This is no PromQL: ${expression}`);
      if (["Identifier", "LabelName"].includes(name)) names.push(expression.slice(from, to));
    },
  });
  return names;
}

/** Every name in /metrics. A metric without a value still has its type there. */
async function knownNames(): Promise<string[]> {
  const { body } = await current().app.inject("/metrics");
  const metrics = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = "", type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  const labels = [...body.matchAll(/[{,](\w+)="/g)].map(([, label = ""]) => label);
  const declared = counted.getMetricsAsArray().flatMap((metric) => {
    return "labelNames" in metric ? (metric.labelNames as string[]) : [];
  });
  return [...ownMetrics, ...ownLabels, ...metrics, ...labels, ...declared];
}

describe("metric names in server/monitoring", () => {
  test.each([
    ["alerts.yml", rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr))],
    [
      "grafana-dashboard.json",
      dashboard.panels.flatMap(({ targets }) =>
        // Grafana replaces this variable.
        targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "5m")),
      ),
    ],
  ])("%s uses only names in /metrics", async (_, expressions) => {
    const known = await knownNames();
    const asked = expressions.map(namesIn);

    expect(asked.length).toBeGreaterThan(10);
    expect(asked.map((names) => names.length)).not.toContain(0);
    expect(asked.flat().filter((name) => !known.includes(name))).toEqual([]);
  });
});
