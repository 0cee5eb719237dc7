import { inLocale, languages, toLocale } from "../../language/locale.js";
import { t } from "../../language/translate.js";
import { roundsScript, staticUrls } from "../static-files.js";

/**
 * A browser stores the script for the next person too, so it contains the page in every language.
 */
const offlinePages = Object.fromEntries(
  languages.map((language) => [
    language,
    inLocale(toLocale(language), () => ({
      title: t("Offline"),
      heading: t("You're offline"),
      text: t("Your scans are saved on this device and sync when you open a round while online."),
      again: t("Try again"),
    })),
  ]),
);

export const roundsWorker = `const offlinePages = ${JSON.stringify(offlinePages)};
const icon = "${staticUrls.icon192}";
${roundsScript}`;
