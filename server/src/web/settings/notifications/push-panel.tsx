import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import type { Tx } from "../../../db/database.js";
import {
  addSubscription,
  endSubscription,
  isSubscribed,
  readSubscription,
} from "../../../domain/messaging/push-subscriptions.js";
import { t } from "../../../language/translate.js";
import { PostForm } from "../../forms/controls.js";
import { hiddenField } from "../../forms/form-fields.js";
import { refuseAt, seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import { keepPushMark, readPushMark } from "../../layout/push-cookie.js";
import { personOf } from "../../layout/reply.js";
import { staticUrls } from "../../static-files.js";
import { notificationsAddress } from "./addresses.js";

const path = `${notificationsAddress}/push`;

export const pushForms: FastifyPluginAsync = async (app) => {
  await app.register(turnOnForm);
  await app.register(turnOffForm);
};

/** True if this browser shows the person's notifications. */
export async function isPushOn(db: Tx, request: FastifyRequest): Promise<boolean> {
  const mark = readPushMark(request);
  return mark !== undefined && isSubscribed(db, personOf(request).id, mark);
}

const turnOnForm = formRoute({
  path,
  isPage: false,
  isPersonal: true,
  /** Written by the page's script. */
  fields: { subscription: hiddenField },
  change: async (tx, { app, request, given }) => {
    const subscription = readSubscription(given.subscription ?? "");
    if (subscription === undefined) return undefined;
    return addSubscription(tx, personOf(request).id, app.services.pushKeys, subscription);
  },
  done: (mark, { reply }) => {
    if (mark === undefined) {
      return refuseAt(notificationsAddress, t("This browser can't show notifications."));
    }
    keepPushMark(reply, mark);
    return seeOther(notificationsAddress, t("Push notifications turned on for this browser."));
  },
});

const turnOffForm = formRoute({
  path: `${path}/off`,
  isPage: false,
  isPersonal: true,
  change: async (tx, { request }) => {
    const mark = readPushMark(request);
    if (mark !== undefined) await endSubscription(tx, personOf(request).id, mark);
  },
  done: () => seeOther(notificationsAddress, t("Push notifications turned off for this browser.")),
});

export interface PushView {
  isOn: boolean;
  /** Our key, for the browser's push service. */
  publicKey: string;
}

/** Push messages to this browser. Only its script can turn them on. */
export function PushPanel({ isOn, publicKey }: PushView): VNode {
  return (
    <section class="panel" aria-labelledby="push">
      <h2 id="push">{t("Push on this device")}</h2>
      {isOn ? (
        <>
          <p>{t("This browser shows your notifications, even while Fettle is closed.")}</p>
          <PostForm action={`${path}/off`} isPersonal>
            <button type="submit" class="quiet">
              {t("Turn off push")}
            </button>
          </PostForm>
        </>
      ) : (
        <>
          <p>{t("Get notifications in this browser, even while Fettle is closed.")}</p>
          <PostForm action={path} isPersonal class="push">
            <input type="hidden" name="subscription" />
            <p
              class="help"
              role="status"
              data-public-key={publicKey}
              data-unsupported={t(
                "This browser can't show notifications. On an iPhone or iPad, add Fettle to the Home Screen first.",
              )}
              data-blocked={t("Notifications are blocked. Allow them in your browser's settings.")}
            >
              {t("Turning on push needs JavaScript.")}
            </p>
            <button type="button" hidden>
              {t("Turn on push")}
            </button>
          </PostForm>
          <script src={staticUrls.push} defer />
        </>
      )}
    </section>
  );
}
