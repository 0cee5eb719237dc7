import type { ComponentChildren, VNode } from "preact";
import { t } from "../../../language/translate.js";
import { formatNumber, formatPercent, withColon } from "../../text/format.js";

export interface MonthBar {
  /** "Nov 2026" */
  label: string;
  /** Null if there was nothing to measure. */
  value: number | null;
  /** The formatted value: "€1,250". */
  words: string;
  /** Counts of the month. */
  href: string;
}

export interface MonthChartProps {
  id: string;
  title: string;
  bars: readonly MonthBar[];
  /** Shares of 100 are points on a line, because bars would have to begin at 0. */
  isShare?: boolean | undefined;
  target?: number | undefined;
  /** Under the title: the current figure, its direction and reason. */
  children: ComponentChildren;
}

/** The row above the plot, for the value of the month in focus. */
const head = 26;
const height = 140;

interface Scale {
  bottom: number;
  top: number;
}

/** One link per month. Horizontal positions are in percent, so text keeps its size at any width. */
export function MonthChart(props: MonthChartProps): VNode {
  const { id, title, bars, isShare = false, target, children } = props;
  const scale = toScale(bars, isShare);
  const { bottom, top } = scale;
  return (
    <section class="panel chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      <div class="chart-area">
        <div class="chart-scale" aria-hidden="true">
          <span>{formatNumber(top)}</span>
          <span>{formatNumber((top + bottom) / 2)}</span>
          <span>{formatNumber(bottom)}</span>
        </div>
        <svg
          role="group"
          aria-label={t("{title} by month", { title })}
          width="100%"
          height={head + height + 24}
        >
          {[0.5, height / 2, height - 0.5].map((y) => (
            <line key={y} class="chart-line" x1="0" x2="100%" y1={head + y} y2={head + y} />
          ))}
          {isShare && <Path bars={bars} scale={scale} />}
          {bars.map((bar, index) => (
            <MonthLink key={bar.label} {...{ bar, index, scale, isShare }} of={bars.length} />
          ))}
          {target !== undefined && <Target target={target} y={toY(target, scale)} />}
        </svg>
      </div>
    </section>
  );
}

/** The link to a month's tasks. Its value appears on hover and focus. */
function MonthLink({
  bar: { label, value, words, href },
  index,
  of,
  scale,
  isShare,
}: {
  bar: MonthBar;
  index: number;
  of: number;
  scale: Scale;
  isShare: boolean;
}): VNode {
  const share = 100 / of;
  const middle = `${(index + 0.5) * share}%`;
  const name = `${withColon(label)} ${words}`;
  return (
    <a href={href} aria-label={name} class={index === of - 1 ? "chart-now" : undefined}>
      <rect
        class="chart-hit"
        x={`${index * share}%`}
        width={`${share}%`}
        y={head}
        height={height + 23}
        rx="4"
      />
      {value !== null && isShare && (
        <circle class="chart-mark" cx={middle} cy={toY(value, scale)} r="4.5" />
      )}
      {value !== null && !isShare && (
        <rect
          class="chart-mark"
          x={`${(index + 0.18) * share}%`}
          width={`${0.64 * share}%`}
          y={toY(value, scale)}
          height={head + height - toY(value, scale)}
        />
      )}
      <text
        class={index % 2 === of % 2 ? "chart-month rare" : "chart-month"}
        x={middle}
        y={head + height + 18}
      >
        {label.split(/[ .]/, 1)}
      </text>
      <text class="chart-value" x="100%" y="14">
        {name}
      </text>
    </a>
  );
}

/** Joins the shares of consecutive months. */
function Path({ bars, scale }: { bars: readonly MonthBar[]; scale: Scale }): VNode {
  const x = (index: number) => `${((index + 0.5) * 100) / bars.length}%`;
  return (
    <>
      {bars.map(({ label, value }, index) => {
        const before = bars[index - 1]?.value ?? null;
        if (value === null || before === null) return null;
        const ends = { x1: x(index - 1), y1: toY(before, scale), x2: x(index) };
        return <line key={label} class="chart-path" {...ends} y2={toY(value, scale)} />;
      })}
    </>
  );
}

function Target({ target, y }: { target: number; y: number }): VNode {
  return (
    <g class="chart-target">
      <line x1="0" x2="100%" y1={y} y2={y} />
      <g class="chart-legend">
        <line x1="0" x2="16" y1="10" y2="10" />
        <text x="22" y="14">
          {t("Target {share}", { share: formatPercent(target) })}
        </text>
      </g>
    </g>
  );
}

function toY(value: number, { bottom, top }: Scale): number {
  return head + (1 - (value - bottom) / (top - bottom)) * (height - 1);
}

/** Shares use the upper half of the scale if none is below. */
function toScale(bars: readonly MonthBar[], isShare: boolean): Scale {
  const values = bars.flatMap(({ value }) => value ?? []);
  if (isShare) return { bottom: values.some((value) => value < 50) ? 0 : 50, top: 100 };
  return { bottom: 0, top: toRoundMax(Math.max(0, ...values)) };
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
