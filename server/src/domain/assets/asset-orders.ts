import { dayKey, timeKey, type Order, type SortKey } from "../shared/keyset.js";

export type AssetSort =
  "name" | "-name" | "inventory_number" | "-created_at" | "-updated_at" | "warranty_expires_on";

export const orders: Record<AssetSort, Order> = {
  name: { keys: [textKey("a.name_key")], direction: "ASC" },
  "-name": { keys: [textKey("a.name_key")], direction: "DESC" },
  inventory_number: { keys: [textKey("a.inventory_number")], direction: "ASC" },
  "-created_at": { keys: [timeKey("a.created_at")], direction: "DESC" },
  "-updated_at": { keys: [timeKey("a.updated_at")], direction: "DESC" },
  warranty_expires_on: {
    keys: [dayKey("a.warranty_expires_on", "infinity")],
    direction: "ASC",
  },
};

/** A search by name puts the closest names first: "Lift 5" before "Forklift 5". */
export function orderOf(sort: AssetSort, query: string | undefined): Order {
  const order = orders[sort];
  if (sort !== "name" || query === undefined) return order;
  return { ...order, keys: [closeness, ...order.keys], parameters: [query.trim()] };
}

const name = "fettle_fold(a.name)";
const searched = "(SELECT fettle_fold($2))";
const words = (text: string) => `' ' || regexp_replace(${text}, '[^[:alnum:]]+', ' ', 'g')`;

/** Number, name, start of the name, start of a word, other matches. */
const rank = `(CASE WHEN fettle_fold(a.inventory_number) = ${searched} THEN 0
  WHEN ${name} = ${searched} THEN 1 WHEN starts_with(${name}, ${searched}) THEN 2
  WHEN strpos(${words(name)}, (SELECT ${words("fettle_fold($2)")})) > 0 THEN 3 ELSE 4 END)`;
const closeness: SortKey = { expression: rank, type: "int", text: `${rank}::text` };

function textKey(expression: string): SortKey {
  return { expression, type: "text", text: expression };
}
