import { isConnectionLost } from "./connection-errors.js";

/**
 * Runs `act` on each item, in the server's own name. A failure for one organization or person
 * doesn't delay others. Throws the first failure after the last item.
 */
export async function forEachInOwnTransaction<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
