import { expect, test } from "vitest";
import { inLocale } from "../../server/src/language/locale.js";
import { toSmtpProblem } from "../../server/src/mail/smtp.js";
import { PrivateAddress } from "../../server/src/oauth/read-document.js";
import { describeDeliveryResult } from "../../server/src/web/text/delivery-results.js";

const ofServer = (code: string, responseCode?: number) =>
  toSmtpProblem(Object.assign(new Error(), { code, responseCode })).reason;

test.each([
  [ofServer("EENVELOPE", 550), "Der Mailserver hat sie abgelehnt (EENVELOPE, 550)."],
  [
    ofServer("ETIMEDOUT"),
    "Der Mailserver war nicht zu erreichen oder hat nicht geantwortet (ETIMEDOUT).",
  ],
  ["It returned status 503.", "Die Adresse hat mit dem Status 503 geantwortet."],
  [
    new PrivateAddress("10.1.2.3").message,
    "10.1.2.3 ist eine private Adresse. Die Serveradministration kann sie mit ALLOWED_PRIVATE_NETWORKS erlauben.",
  ],
  ["Its TLS certificate was rejected.", "Das TLS-Zertifikat wurde abgelehnt."],
  ["Webhook paused.", "Webhook pausiert."],
  ["Said by an earlier version.", "Said by an earlier version."],
])("describes a stored delivery result in German: %s", (stored, german) => {
  expect(describeDeliveryResult(stored)).toBe(stored);
  expect(inLocale("de-DE", () => describeDeliveryResult(stored))).toBe(german);
});
