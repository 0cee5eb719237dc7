import { Secret, TOTP } from "otpauth";
import { LessThan, Equal, type Database, type Tx } from "../../db/database.js";
import { Authenticator } from "../../db/entities/accounts.js";
import { AppError } from "../../errors.js";
import type { AccountPerson } from "./accounts.js";
import { renewSecrets } from "../shared/renew-secrets.js";
import { ageOf } from "../shared/age.js";
import type { JsonCipher } from "../shared/encryption.js";
import {
  addFactor,
  removeFactor,
  type FactorOwner,
  type SecondFactorServices,
} from "./factor-changes.js";

/** A secret for an authenticator app. It is stored only after a code proves that an app has it. */
export interface AuthenticatorOffer {
  /** Base 32, for manual entry. */
  secret: string;
  /** For the QR code. */
  uri: string;
  /** The offer in the form, encrypted and valid only for this person. */
  sealed: string;
}

interface SealedOffer {
  userId: string;
  secret: string;
  madeAt: number;
}

const offerLifeMs = 60 * 60_000;

export function createOffer(
  services: SecondFactorServices,
  person: AccountPerson,
): AuthenticatorOffer {
  const { base32: secret } = new Secret({ size: 20 });
  const offer: SealedOffer = { userId: person.id, secret, madeAt: Date.now() };
  const sealed = services.secrets.encrypt(offer).toString("base64url");
  return { secret, uri: toUri(services, person, secret), sealed };
}

/** Returns the offer from a submitted form, or undefined if it is another person's or too old. */
export function openOffer(
  services: SecondFactorServices,
  person: AccountPerson,
  sealed: string,
): AuthenticatorOffer | undefined {
  const opened = services.secrets.decrypt(Buffer.from(sealed, "base64url"));
  const { userId, secret, madeAt } = (opened ?? {}) as Partial<SealedOffer>;
  if (userId !== person.id || secret === undefined || madeAt === undefined) return undefined;
  if (ageOf(madeAt) > offerLifeMs) return undefined;
  return { secret, uri: toUri(services, person, secret), sealed };
}

/** Apps display it as "Fettle (fettle.example.com)" and the email. */
function toUri({ baseUrl }: SecondFactorServices, { email }: AccountPerson, secret: string) {
  const issuer = `Fettle (${new URL(baseUrl).hostname})`;
  return new TOTP({ issuer, label: email, secret: Secret.fromBase32(secret) }).toString();
}

/**
 * Stores an offer's secret as the person's authenticator and replaces an earlier one. Requires a
 * valid code. Returns recovery codes if it is the first factor.
 */
export async function addAuthenticator(
  tx: Tx,
  services: SecondFactorServices,
  owner: FactorOwner,
  { secret, code }: { secret: string; code: string },
): Promise<string[] | undefined> {
  const step = findStep(secret, cleanCode(code), await secondsNow(tx));
  if (step === undefined) {
    throw new AppError("validation_failed", "wrong_code", { field: "code" });
  }
  const change = { type: "authenticator_added" } as const;
  return addFactor(tx, services, owner, change, async () => {
    await tx.upsert(
      Authenticator,
      {
        user_id: owner.person.id,
        secret_encrypted: services.secrets.encrypt({ secret }),
        last_step: step,
        created_at: () => "app_now()",
        last_used_at: null,
      },
      ["user_id"],
    );
  });
}

export async function removeAuthenticator(
  tx: Tx,
  services: SecondFactorServices,
  owner: FactorOwner,
): Promise<boolean> {
  const change = { type: "authenticator_removed" } as const;
  return removeFactor(tx, services, owner, change, async () => {
    return (await tx.delete(Authenticator, { user_id: owner.person.id })) === 1;
  });
}

/**
 * Consumes a code (RFC 6238 §5.2). This code and codes of earlier time steps no longer count.
 * Clocks may differ by one step. If two requests send a code at once, one gets true.
 */
export async function useAuthenticatorCode(
  tx: Tx,
  { secrets }: SecondFactorServices,
  userId: string,
  code: string,
): Promise<boolean> {
  const found = await tx.findOne(Authenticator, { where: { user_id: userId } });
  const opened = found === undefined ? undefined : secrets.decrypt(found.secret_encrypted);
  if (found === undefined || opened === undefined) return false;
  const step = findStep((opened as { secret: string }).secret, code, await secondsNow(tx));
  if (step === undefined) return false;
  const affected = await tx.update(
    Authenticator,
    {
      user_id: userId,
      last_step: LessThan(step),
      secret_encrypted: Equal(found.secret_encrypted),
    },
    { last_step: step, last_used_at: () => "app_now()" },
  );
  return affected === 1;
}

/** Removes spaces and hyphens, because apps show codes in groups. */
export function cleanCode(typed: string): string {
  return typed.replace(/[\s-]/g, "").toLowerCase();
}

/** Returns the code's time step, if it is within one step of now. */
function findStep(secret: string, code: string, seconds: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const timestamp = seconds * 1000;
  const distance = totp.validate({ token: code, timestamp, window: 1 });
  return distance === null ? undefined : totp.counter({ timestamp }) + distance;
}

async function secondsNow(db: Tx): Promise<number> {
  const row = await db.maybe<{ seconds: number }>(
    "SELECT extract(epoch FROM app_now())::float8 AS seconds",
  );
  return row?.seconds ?? 0;
}

/** Re-encrypts secrets with the newest key. Earlier keys can then be removed. */
export async function renewAuthenticatorSecrets(db: Database, secrets: JsonCipher): Promise<void> {
  const place = { keys: ["user_id"], secret: "secret_encrypted" };
  await renewSecrets(db, { table: "authenticators", ...place }, secrets);
}
