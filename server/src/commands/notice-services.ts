import type { Config } from "../config.js";
import { createMailCipher } from "../domain/messaging/mail-cipher.js";
import type { NoticeServices } from "../domain/messaging/outbox.js";
import { loadSecretKeys } from "./secret-keys.js";

/** Sends emails only if a mail server and the keys are configured, as for the server. */
export function createNoticeServices(config: Config): NoticeServices | undefined {
  const hasKeys = config.secretKeys.length > 0 || config.databaseUrl === undefined;
  if (config.smtpUrl === undefined || !hasKeys) return undefined;
  return { mails: createMailCipher(loadSecretKeys(config), true), baseUrl: config.baseUrl };
}
