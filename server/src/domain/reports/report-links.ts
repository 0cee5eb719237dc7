import { AppError } from "../../errors.js";
import { ageOf } from "../shared/age.js";
import type { JsonCipher } from "../shared/encryption.js";
import { createToken, idKindOf } from "../shared/ids.js";

export interface ReportLink {
  organizationId: string;
  reportId: string;
}

/** Creation time and label of a form. Its report is stored once. */
export interface Stamp {
  code: string;
  madeAt: number;
  key: string;
  /** Photos submitted earlier with a rejected report. */
  photos?: readonly string[];
}

const stampLifeMs = 24 * 60 * 60_000;

export function writeReportLink(secrets: JsonCipher, link: ReportLink): string {
  return secrets.encrypt(link).toString("base64url");
}

export function readReportLink(secrets: JsonCipher, token: string): ReportLink {
  const link = read<ReportLink>(secrets, token);
  if (link === undefined || idKindOf(link.reportId) !== "report") {
    throw reportNotFound();
  }
  return link;
}

export function reportNotFound(): AppError {
  return new AppError("not_found", "report_not_found");
}

export function makeStamp(
  secrets: JsonCipher,
  code: string,
  photos: readonly string[] = [],
): string {
  const stamp: Stamp = { code: code.toLowerCase(), madeAt: Date.now(), key: createToken(), photos };
  return secrets.encrypt(stamp).toString("base64url");
}

/**
 * Returns a stamp for this label. Undefined for every other text, and after a day. A member's form
 * may wait longer on a phone without a network.
 */
export function readStamp(
  secrets: JsonCipher,
  text: string,
  code: string,
  { isOfMember = false } = {},
): Stamp | undefined {
  const stamp = read<Stamp>(secrets, text);
  if (stamp?.code !== code.toLowerCase()) return undefined;
  return isOfMember || ageOf(stamp.madeAt) < stampLifeMs ? stamp : undefined;
}

function read<Value>(secrets: JsonCipher, text: string): (Partial<Value> & Value) | undefined {
  if (!/^[\w-]{40,500}$/.test(text)) return undefined;
  return secrets.decrypt(Buffer.from(text, "base64url")) as Value | undefined;
}
