import { describePrivateAddress } from "./private-address.js";
import { t, translateIfKnown } from "../../language/translate.js";

const withValues: readonly [RegExp, (first: string, second: string) => string][] = [
  [/^It returned status (\d+)\.$/, (status) => t("It returned status {status}.", { status })],
  [
    /^The mail server rejected it \((\w+), (\d+)\)\.$/,
    (problem, status) =>
      t("The mail server rejected it ({problem}, {status}).", { problem, status }),
  ],
  [
    /^The mail server couldn't be reached or didn't respond \((\w+)\)\.$/,
    (problem) =>
      t("The mail server couldn't be reached or didn't respond ({problem}).", { problem }),
  ],
  [/^(\S+) (?:is|has) a private address\. /, (host) => describePrivateAddress(host)],
];

/**
 * The result of sending an email or a webhook. Senders store it in English, for operators and logs.
 */
export function describeDeliveryResult(result: string): string {
  for (const [pattern, word] of withValues) {
    const [, first, second = ""] = pattern.exec(result) ?? [];
    if (first !== undefined) return word(first, second);
  }
  return translateIfKnown(result);
}
