import type { FastifyInstance } from "fastify";
import type { Tx } from "../db/database.js";
import { commit } from "../domain/history/transactions.js";
import { findPresented, type PresentedToken } from "../domain/oauth/tokens.js";

/** Refuses what somebody does too often. */
export type Admit = (found: PresentedToken | undefined) => Promise<void>;

/** Commits what a code or token is shown for, in its organization's turn; unknown ones wait for nobody. */
export async function changeByToken<Result>(
  { strangersDb: db, strangersTurns }: FastifyInstance,
  presented: string,
  work: (tx: Tx, found: PresentedToken | undefined) => Promise<Result>,
  admit?: Admit,
): Promise<Result> {
  const found = await findPresented(db, presented);
  await admit?.(found);
  const change = () => commit({ db, caller: null }, (tx) => work(tx, found));
  return found === undefined ? change() : strangersTurns(found.organizationId, change);
}
