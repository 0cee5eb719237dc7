import type { Tx } from "../db/database.js";
import { commit } from "../domain/history/transactions.js";
import type { PresentedToken } from "../domain/oauth/tokens.js";
import type { AppServices } from "../services.js";

/** Commits the use of a code or token in its organization's queue. Unknown ones don't wait. */
export async function commitPresented<Result>(
  { anonymousDb: db, anonymousQueue }: Pick<AppServices, "anonymousDb" | "anonymousQueue">,
  presented: PresentedToken | undefined,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const change = () => commit({ db, caller: null }, work);
  return presented === undefined ? change() : anonymousQueue(presented.organizationId, change);
}
