import { inLocale, languages, toLocale } from "../../language/locale.js";
import { t } from "../../language/translate.js";
import { staticUrls, workerScript } from "../static-files.js";

/**
 * A browser stores the script for the next person too, so it contains the page in every language.
 */
const offlineTexts = Object.fromEntries(
  languages.map((language) => [
    language,
    inLocale(toLocale(language), () => ({
      title: t("Offline"),
      heading: t("You're offline"),
      text: t(
        "This page isn't saved on this device. Changes that wait are sent once you're online.",
      ),
      noRoom: t(
        "There's no room on this device to save your input. Go back: the form still has it. Free up space, or send it once you're online.",
      ),
      home: t("My work"),
      waiting: t("Waiting changes"),
      again: t("Try again"),
    })),
  ]),
);

export const worker = `const offlineTexts = ${JSON.stringify(offlineTexts)};
const icon = "${staticUrls.icon192}";
${workerScript}`;
