import type { FastifyReply } from "fastify";
import type { PlainText } from "../language/texts.js";
import { t } from "../language/translate.js";
import { BarePage } from "../web/layout/bare-page.js";
import { sendPage } from "../web/layout/reply.js";

/** For requests that must not be answered to the app. Tells the person instead. */
export async function sendDeadEnd(reply: FastifyReply, reason: PlainText): Promise<FastifyReply> {
  return sendPage(
    reply.code(400),
    <BarePage title={t("This app can't connect")}>
      <p>{t(reason)}</p>
      <p>
        {t(
          "Go back to the app and connect again. If that doesn't help, remove this server from the app and add it again.",
        )}
      </p>
    </BarePage>,
  );
}
