import type { Tx } from "../../db/database.js";
import { Authenticator, Passkey, RecoveryCode } from "../../db/entities/accounts.js";
import { AppError } from "../../errors.js";
import type { AccountPerson } from "./accounts.js";
import type { Origin } from "../audit/record-activity.js";
import type { SecondFactor } from "../shared/sign-in-proof.js";
import { lockSession } from "../access/lock-session.js";
import { endSessionsOf } from "./sessions.js";
import { cleanCode, useAuthenticatorCode } from "./authenticators.js";
import {
  lockFactors,
  tellOfChange,
  type FactorOwner,
  type SecondFactorServices,
} from "./factor-changes.js";
import { makeRecoveryCodes, useRecoveryCode } from "./recovery-codes.js";

export interface SecondFactors {
  authenticator: Pick<Authenticator, "created_at" | "last_used_at"> | null;
  /** Oldest first. */
  passkeys: Passkey[];
  recoveryCodesLeft: number;
}

export async function findSecondFactors(db: Tx, userId: string): Promise<SecondFactors> {
  const mine = { user_id: userId };
  const [authenticator, passkeys, recoveryCodesLeft] = await Promise.all([
    db.findOne(Authenticator, { where: mine }),
    db.find(Passkey, { where: mine, order: { created_at: "ASC", id: "ASC" } }),
    db.count(RecoveryCode, mine),
  ]);
  return { authenticator: authenticator ?? null, passkeys, recoveryCodesLeft };
}

export async function useCode(
  tx: Tx,
  services: SecondFactorServices,
  person: AccountPerson,
  typed: string,
  origin: Origin,
): Promise<SecondFactor | undefined> {
  const code = cleanCode(typed);
  if (await useAuthenticatorCode(tx, services, person.id, code)) return "authenticator";
  if (!(await useRecoveryCode(tx, person.id, code))) return undefined;
  await tellOfChange(tx, services, person, { type: "recovery_code_used" }, origin);
  return "recovery_code";
}

/** Replaces the recovery codes with ten new ones. The person needs a second factor. */
export async function renewRecoveryCodes(
  tx: Tx,
  services: SecondFactorServices,
  { person, sessionId, origin }: FactorOwner,
): Promise<string[]> {
  if (!(await lockFactors(tx, person.id))) {
    throw new AppError("invalid_transition", "no_second_factor");
  }
  await lockSession(tx, sessionId);
  await tellOfChange(tx, services, person, { type: "recovery_codes_made" }, origin);
  return makeRecoveryCodes(tx, person.id);
}

/**
 * Removes all second factors of a person who lost them, and ends their sessions. For operators.
 * Returns false if there were none. Without `services`, no email is sent.
 */
export async function resetSecondFactors(
  tx: Tx,
  services: Pick<SecondFactorServices, "mails" | "baseUrl"> | undefined,
  person: AccountPerson,
): Promise<boolean> {
  await endWhatNeedsFactors(tx, person.id);
  if (!(await lockFactors(tx, person.id))) return false;
  const mine = { user_id: person.id };
  await tx.delete(Authenticator, mine);
  await tx.delete(Passkey, mine);
  await tx.delete(RecoveryCode, mine);
  await endSessionsOf(tx, person.id);
  await tellOfChange(tx, services, person, { type: "second_factors_reset" });
  return true;
}

/** Prevents commits of changes that were started with a required factor. See `confirmAccess`. */
async function endWhatNeedsFactors(tx: Tx, userId: string): Promise<void> {
  await tx.query(
    `UPDATE organization_members m SET access_epoch = m.access_epoch + 1 FROM organizations o
     WHERE m.user_id = $1 AND o.id = m.organization_id AND m.removed_at IS NULL
       AND (o.admins_need_second_factor AND m.role <> 'member' OR o.destructive_needs_second_factor)`,
    [userId],
  );
}
