import type { Tx } from "../db/database.js";
import { commit } from "../domain/history/transactions.js";
import type { PresentedToken } from "../domain/oauth/tokens.js";
import type { AppServices } from "../services.js";

/** Commits what a code or token is shown for, in its organization's turn; unknown ones wait for nothing. */
export async function commitPresented<Result>(
  { strangersDb: db, strangersTurns }: Pick<AppServices, "strangersDb" | "strangersTurns">,
  presented: PresentedToken | undefined,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const change = () => commit({ db, caller: null }, work);
  return presented === undefined ? change() : strangersTurns(presented.organizationId, change);
}
