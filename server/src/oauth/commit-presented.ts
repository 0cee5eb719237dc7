import type { FastifyInstance } from "fastify";
import type { Tx } from "../db/database.js";
import { commit } from "../domain/history/transactions.js";
import type { PresentedToken } from "../domain/oauth/tokens.js";

/** Commits what a code or token is shown for, in its organization's turn; unknown ones wait for nothing. */
export async function commitPresented<Result>(
  { strangersDb: db, strangersTurns }: FastifyInstance,
  presented: PresentedToken | undefined,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const change = () => commit({ db, caller: null }, work);
  return presented === undefined ? change() : strangersTurns(presented.organizationId, change);
}
