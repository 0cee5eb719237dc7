import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { PlainText } from "../../language/texts.js";
import { t } from "../../language/translate.js";
import { sendPage } from "../layout/reply.js";
import { SettingsPage } from "./settings-layout.js";

const address = "/settings/keyboard";

/** The keys of `keyboard.js`. */
const shortcuts: [keys: string, act: PlainText][] = [
  ["/", "Search"],
  ["c", "Quick add"],
  ["j", "Next row"],
  ["k", "Previous row"],
  ["x", "Select the row"],
  ["g h", "Home"],
  ["g a", "Assets"],
  ["g t", "Tasks"],
  ["g p", "Plan"],
  ["g r", "Reports"],
  ["g w", "Workspaces"],
  ["g s", "Settings"],
  ["?", "Keyboard shortcuts"],
];

export const keyboardPage: FastifyPluginAsync = async (app) => {
  app.get(address, { config: { script: "page" } }, (_, reply) => sendPage(reply, <KeyboardPage />));
};

function KeyboardPage(): VNode {
  return (
    <SettingsPage title={t("Keyboard shortcuts")} current={address}>
      <section class="panel" id="keyboard">
        <dl class="keys">
          {shortcuts.map(([keys, act]) => (
            <div key={keys}>
              <dt>
                {keys.split(" ").map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{t(act)}</dd>
            </div>
          ))}
        </dl>
        <div class="choice" hidden>
          <input type="checkbox" id="use-keyboard" />
          <label for="use-keyboard">{t("Use shortcuts in this browser")}</label>
        </div>
        <button type="button" class="quiet close" hidden>
          {t("Close")}
        </button>
      </section>
    </SettingsPage>
  );
}
