import type { VNode } from "preact";
import type { KeyFigures } from "../../domain/stats/organization-stats.js";
import { formatMoney } from "../text/format.js";
import { Direction } from "../trends/direction.js";
import { Figure } from "./figure.js";

/** The cost of work in each currency, against the period before. */
export function CostFigures({
  figures: { period, before },
  href,
  than,
}: {
  figures: KeyFigures;
  href: string;
  /** With what it is compared. */
  than: string;
}): VNode {
  return (
    <>
      {Object.entries(period.cost).map(([currency, byType]) => {
        const [now, earlier] = [sumOf(byType), sumOf(before.cost[currency])];
        const direction = <Direction now={now} before={earlier} better="down" than={than} />;
        return (
          <Figure key={currency} label="Cost of work" href={href} direction={direction}>
            {formatMoney(now, currency)}
          </Figure>
        );
      })}
    </>
  );
}

function sumOf(amounts: Record<string, number> = {}): number {
  return Object.values(amounts).reduce((total, amount) => total + amount, 0);
}
