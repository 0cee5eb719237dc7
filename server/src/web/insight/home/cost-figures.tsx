import type { VNode } from "preact";
import type { KeyFigures } from "../../../domain/insight/organization-stats.js";
import { t } from "../../../language/translate.js";
import { formatRoundMoney } from "../../text/format.js";
import { Direction } from "../trends/direction.js";
import { Figure } from "./figure.js";

export function CostFigures({
  figures: { period, before, days },
  href,
}: {
  figures: KeyFigures;
  href: string;
}): VNode {
  return (
    <>
      {Object.entries(period.cost).map(([currency, byType]) => {
        const [now, earlier] = [sumOfTypes(byType), sumOfTypes(before.cost[currency])];
        const direction = <Direction now={now} before={earlier} better="down" days={days} />;
        return (
          <Figure key={currency} label={t("Maintenance cost")} href={href} direction={direction}>
            {formatRoundMoney(now, currency)}
          </Figure>
        );
      })}
    </>
  );
}

/** The cost of all types of work, in one currency. */
export function sumOfTypes(amounts: Record<string, number> = {}): number {
  return Object.values(amounts).reduce((total, amount) => total + amount, 0);
}
