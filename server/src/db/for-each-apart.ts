import { isConnectionLost } from "./connection-errors.js";

/**
 * Acts on each, in the server's own name: what fails for one organization or person keeps nobody else
 * waiting. It fails with the first failure after the last.
 */
export async function forEachApart<Item>(
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
