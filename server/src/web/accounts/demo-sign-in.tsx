import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { findActivePerson } from "../../domain/accounts/accounts.js";
import { changeProfile } from "../../domain/accounts/own-account.js";
import { commit } from "../../domain/history/transactions.js";
import { AppError } from "../../errors.js";
import { currentLocale } from "../../language/locale.js";
import type { PlainText } from "../../language/texts.js";
import { t } from "../../language/translate.js";
import { HiddenToken } from "../layout/hidden-token.js";
import { startSession } from "./sessions.js";

const address = "/signin/demo";

const roles = {
  manager: "Manager",
  technician: "Technician",
  viewer: "Viewer",
} as const satisfies Record<string, PlainText>;

/** People of the demo, by account id. Set by `fettle demo run` only, never by a setting. */
export type DemoPeople = Readonly<Record<keyof typeof roles, string>>;

/**
 * Signs in as a person of the demo without a password, in the browser's language. Other servers
 * don't have this route.
 */
export const demoSignIn: FastifyPluginAsync = async (app) => {
  const { demoPeople } = app.services;
  if (demoPeople === undefined) return;
  app.post(address, async (request, reply) => {
    const { role = "" } = request.body as { role?: string };
    const id = role in roles ? demoPeople[role as keyof DemoPeople] : "";
    const person = await findActivePerson(request.db, id);
    if (person === undefined) throw new AppError("not_found", "nothing_there");
    const { id: userId, name } = person;
    const locale = currentLocale();
    await commit({ db: request.db, caller: null }, (tx) =>
      changeProfile(tx, { userId, name, locale }),
    );
    await startSession(request, userId);
    return reply.redirect("/", 303);
  });
};

/** One button for each person, above the sign-in form. */
export function DemoSignIn(): VNode {
  return (
    <form method="post" action={address} class="view-as">
      <HiddenToken />
      <p class="soft">{t("View the demo as")}</p>
      {Object.entries(roles).map(([role, label]) => (
        <button type="submit" class="quiet" name="role" value={role} key={role}>
          {t(label)}
        </button>
      ))}
    </form>
  );
}
