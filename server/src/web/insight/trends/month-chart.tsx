import type { ComponentChildren, VNode } from "preact";
import { t } from "../../../language/translate.js";
import { formatNumber, withColon } from "../../text/format.js";

export interface MonthBar {
  /** "Nov 2026" */
  label: string;
  /** Null if there was nothing to measure. */
  value: number | null;
  /** The formatted value: "€1,249.90". */
  words: string;
}

export interface MonthChartProps {
  id: string;
  title: string;
  bars: readonly MonthBar[];
  /** The top of the scale. Default: fits the highest bar. */
  max?: number;
  /** Under the title: the current figure and its direction. */
  children: ComponentChildren;
}

const height = 140;

/** One bar per month. Horizontal positions are in percent, so text keeps its size at any width. */
export function MonthChart({ id, title, bars, max, children }: MonthChartProps): VNode {
  const highest = Math.max(0, ...bars.map(({ value }) => value ?? 0));
  const top = max ?? toRoundMax(highest);
  return (
    <section class="panel chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      <div class="chart-area">
        <div class="chart-scale" aria-hidden="true">
          <span>{formatNumber(top)}</span>
          <span>{formatNumber(top / 2)}</span>
          <span>0</span>
        </div>
        <svg
          role="img"
          aria-labelledby={`${id}-title ${id}-desc`}
          width="100%"
          height={height + 24}
        >
          <title id={`${id}-title`}>{t("{title} by month", { title })}</title>
          <desc id={`${id}-desc`}>
            {bars.map(({ label, words }) => `${withColon(label)} ${words}`).join("; ")}
          </desc>
          {[0.5, height / 2, height - 0.5].map((y) => (
            <line key={y} class="chart-line" x1="0" x2="100%" y1={y} y2={y} />
          ))}
          {bars.map((bar, index) => (
            <Bar key={bar.label} bar={bar} place={{ index, of: bars.length, top }} />
          ))}
        </svg>
      </div>
    </section>
  );
}

function Bar({
  bar: { label, value, words },
  place: { index, of, top },
}: {
  bar: MonthBar;
  place: { index: number; of: number; top: number };
}): VNode {
  const share = 100 / of;
  const tall = top === 0 ? 0 : ((value ?? 0) / top) * (height - 1);
  const isNow = index === of - 1;
  return (
    <g class={isNow ? "chart-now" : undefined}>
      <rect
        class="chart-bar"
        x={`${(index + 0.18) * share}%`}
        width={`${0.64 * share}%`}
        y={height - tall}
        height={tall}
      />
      <rect class="chart-hover" x={`${index * share}%`} width={`${share}%`} y="0" height={height}>
        <title>{`${withColon(label)} ${words}`}</title>
      </rect>
      <text
        class={index % 2 === of % 2 ? "chart-month rare" : "chart-month"}
        x={`${(index + 0.5) * share}%`}
        y={height + 18}
      >
        {label.split(/[ .]/, 1)}
      </text>
    </g>
  );
}

/**
 * Rounds up to 1, 2, 4, 5 or 8 times a power of ten. Half of such a number is easy to read, too.
 */
function toRoundMax(value: number): number {
  if (value <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 4, 5, 8, 10].find((one) => one * power >= value) ?? 10;
  return factor * power;
}
