import { t } from "../../language/translate.js";

/** Names of browsers. Those that also claim to be another one come first. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\bCriOS\/|Chrome\/|\bChromium\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
];

const systems: readonly (readonly [pattern: RegExp, name: string | (() => string)])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPod\b/, () => t("an iPhone")],
  [/\biPad\b/, () => t("an iPad")],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, () => t("a Mac")],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/**
 * "Firefox on Windows", from the browser's header. It is a guess, because clients can send
 * anything.
 */
export function describeBrowser(userAgent: string | null): string {
  if (userAgent === null || userAgent === "") return t("Unknown browser");
  const browser = findName(browsers, userAgent);
  const found = findName(systems, userAgent);
  const system = typeof found === "function" ? found() : found;
  if (browser !== undefined) {
    return system === undefined ? browser : t("{browser} on {system}", { browser, system });
  }
  if (system !== undefined) return t("Unknown browser on {system}", { system });
  // For a program, the first word is its name.
  return /^[\w.+-]{1,40}/.exec(userAgent)?.[0] ?? t("Unknown browser");
}

function findName<Name>(
  known: readonly (readonly [RegExp, Name])[],
  userAgent: string,
): Name | undefined {
  return known.find(([pattern]) => pattern.test(userAgent))?.[1];
}
