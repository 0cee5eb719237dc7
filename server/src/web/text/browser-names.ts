/** What browsers call themselves; those that also claim to be another one come first. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\bCriOS\/|Chrome\/|\bChromium\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPod\b/, "an iPhone"],
  [/\biPad\b/, "an iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "a Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** "Firefox on Windows", from what the browser sent; a guess, as anything can be sent. */
export function describeBrowser(userAgent: string | null): string {
  if (userAgent === null || userAgent === "") return "Unknown browser";
  const browser = findName(browsers, userAgent);
  const system = findName(systems, userAgent);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  if (system !== undefined) return `Unknown browser on ${system}`;
  // A program: the first word is its name.
  return /^[\w.+-]{1,40}/.exec(userAgent)?.[0] ?? "Unknown browser";
}

function findName(
  known: readonly (readonly [RegExp, string])[],
  userAgent: string,
): string | undefined {
  return known.find(([pattern]) => pattern.test(userAgent))?.[1];
}
