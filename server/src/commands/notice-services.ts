import type { Config } from "../config.js";
import { createMailCipher, type MailCipher } from "../domain/mail/mail-cipher.js";
import { loadSecretKeys } from "./secret-keys.js";

/** People are told by mail where a mail server and the keys are set, as they are for the server. */
export function createNoticeServices(
  config: Config,
): { mails: MailCipher; baseUrl: string } | undefined {
  const hasKeys = config.secretKeys.length > 0 || config.databaseUrl === undefined;
  if (config.smtpUrl === undefined || !hasKeys) return undefined;
  return { mails: createMailCipher(loadSecretKeys(config), true), baseUrl: config.baseUrl };
}
