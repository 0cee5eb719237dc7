import type { FastifyReply, FastifyRequest } from "fastify";
import { commit } from "../../domain/history/transactions.js";
import { endOthersSubscription } from "../../domain/messaging/push-subscriptions.js";
import { cookieOptions } from "./cookie-options.js";

/** Marks a browser that shows someone's notifications, so a sign-out there can end them. */
const pushCookie = "__Host-fettle-push";

const lifeSeconds = 400 * 24 * 60 * 60;

export function keepPushMark(reply: FastifyReply, mark: string): void {
  void reply.setCookie(pushCookie, mark, { ...cookieOptions, maxAge: lifeSeconds });
}

/** Undefined if the browser shows no notifications. */
export function readPushMark({ cookies }: FastifyRequest): string | undefined {
  const mark = cookies[pushCookie];
  return mark !== undefined && /^[\w-]{43}$/.test(mark) ? mark : undefined;
}

/** A browser never shows notifications of a person who was signed in there before. */
export async function endOthersPush(request: FastifyRequest, userId: string): Promise<void> {
  const mark = readPushMark(request);
  if (mark === undefined) return;
  await commit({ db: request.db, caller: null }, (tx) => endOthersSubscription(tx, userId, mark));
}
