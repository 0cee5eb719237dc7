import { inLocale, languages, toLocale } from "../../language/locale.js";
import { t } from "../../language/translate.js";
import { roundsScript } from "../static-files.js";

/** A browser keeps the script for whoever signs in next, so it has the page of every language. */
const offlinePages = Object.fromEntries(
  languages.map((language) => [
    language,
    inLocale(toLocale(language), () => ({
      title: t("No network"),
      heading: t("There is no network"),
      text: t(
        "What you have scanned is kept on this device, and sent when you open the page of a round again with a network.",
      ),
      again: t("Try again"),
    })),
  ]),
);

export const roundsWorker = `const offlinePages = ${JSON.stringify(offlinePages)};\n${roundsScript}`;
