import { isIP } from "node:net";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { isoBase64URL, isoCBOR } from "@simplewebauthn/server/helpers";
import type { Tx } from "../../db/database.js";
import { Passkey } from "../../db/entities/accounts.js";
import { AppError } from "../../errors.js";
import type { AccountPerson } from "./accounts.js";
import { violates } from "../../db/query-errors.js";
import { createToken } from "../shared/ids.js";
import { cleanText } from "../shared/text.js";
import { challengeLifeMs, spendChallenge, type Challenge } from "./challenges.js";
import {
  addFactor,
  removeFactor,
  tellOfChange,
  type FactorOwner,
  type SecondFactorServices,
} from "./factor-changes.js";

const maxPasskeys = 20;

/** WebAuthn §5.8.4, plus the predecessor of "hybrid". Other transports are dropped. */
const knownTransports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;

export const maxPasskeyName = 60;

/** This server as a relying party (WebAuthn §4). */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Returns undefined where browsers refuse passkeys: at an IP address, or without HTTPS except on
 * localhost.
 */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  const { hostname: id, protocol, origin } = new URL(baseUrl);
  if (isIP(id.replace(/^\[|\]$/g, "")) !== 0) return undefined;
  const isSecure = protocol === "https:" || id === "localhost" || id.endsWith(".localhost");
  return isSecure ? { id, origin } : undefined;
}

export async function createRegistrationOptions(
  db: Tx,
  { id: rpID }: RelyingParty,
  { id, name, email }: AccountPerson,
  challenge: Challenge,
): Promise<object> {
  const present = await db.find(Passkey, { where: { user_id: id } });
  return generateRegistrationOptions({
    rpName: "Fettle",
    rpID,
    userID: new Uint8Array(Buffer.from(id)),
    userName: email,
    userDisplayName: name,
    challenge: new Uint8Array(Buffer.from(challenge.value, "base64url")),
    timeout: challengeLifeMs,
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: present.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports,
    })),
  });
}

export interface NewPasskey {
  /** The browser's response, as JSON. */
  response: string;
  challenge: Challenge;
  name: string;
}

/** Stores a new passkey. Returns recovery codes if it is the first factor. */
export async function addPasskey(
  tx: Tx,
  services: SecondFactorServices,
  owner: FactorOwner,
  { relyingParty, response, challenge, name: typed }: NewPasskey & { relyingParty: RelyingParty },
): Promise<string[] | undefined> {
  const name = cleanText(typed, { field: "name", max: maxPasskeyName });
  const made = await verifyNew(relyingParty, response, challenge);
  if (made === undefined || !(await spendChallenge(tx, challenge))) throw notAccepted();
  const { credential, credentialBackedUp } = made;
  const user_id = owner.person.id;
  return addFactor(tx, services, owner, { type: "passkey_added", name }, async () => {
    if ((await tx.count(Passkey, { user_id })) >= maxPasskeys) {
      throw new AppError("invalid_transition", "too_many_passkeys", { max: maxPasskeys });
    }
    const passkey = {
      id: createToken(),
      user_id,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      sign_count: String(credential.counter),
      transports: knownTransports.filter((one) => [credential.transports].flat().includes(one)),
      backed_up: credentialBackedUp,
      name,
    };
    await tx.insert(Passkey, passkey).catch((error: unknown) => {
      throw violates(error, "a passkey belongs to one account") ? notAccepted() : error;
    });
  });
}

async function verifyNew(relyingParty: RelyingParty, json: string, challenge: Challenge) {
  const response = parse(json) as RegistrationResponseJSON | undefined;
  if (response === undefined) return undefined;
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: withoutAttestation(response),
      expectedChallenge: challenge.value,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
    });
    return registrationInfo;
  } catch {
    // The library throws for any invalid response.
    return undefined;
  }
}

/**
 * Drops the attestation, which isn't requested (WebAuthn §5.4.7, "none"). To verify one, the
 * library would fetch revocation data from any URL in an untrusted certificate.
 */
function withoutAttestation(answer: RegistrationResponseJSON): RegistrationResponseJSON {
  const { attestationObject } = answer.response;
  const sent = isoCBOR.decodeFirst<Map<string, Uint8Array>>(
    isoBase64URL.toBuffer(attestationObject),
  );
  const kept = new Map<string, string | Uint8Array | Map<string, string>>([
    ["fmt", "none"],
    ["attStmt", new Map<string, string>()],
    ["authData", sent.get("authData") ?? new Uint8Array()],
  ]);
  const response = {
    ...answer.response,
    attestationObject: isoBase64URL.fromBuffer(isoCBOR.encode(kept)),
  };
  return { ...answer, response };
}

export async function removePasskey(
  tx: Tx,
  services: SecondFactorServices,
  owner: FactorOwner,
  { id, name }: Pick<Passkey, "id" | "name">,
): Promise<boolean> {
  return removeFactor(tx, services, owner, { type: "passkey_removed", name }, async () => {
    const mine = { id, user_id: owner.person.id };
    return (await tx.delete(Passkey, mine)) === 1;
  });
}

export async function getPasskey(db: Tx, userId: string, id: string): Promise<Passkey> {
  const found = await db.findOne(Passkey, { where: { id, user_id: userId } });
  if (found !== undefined) return found;
  throw new AppError("not_found", "no_such_passkey");
}

/**
 * Returns the options for using a passkey in the browser, as JSON. The person chooses the passkey.
 */
export async function createSignInOptions(
  { id: rpID }: RelyingParty,
  challenge: Challenge,
): Promise<object> {
  return generateAuthenticationOptions({
    rpID,
    challenge: new Uint8Array(Buffer.from(challenge.value, "base64url")),
    timeout: challengeLifeMs,
    userVerification: "required",
  });
}

type PasskeyOwner = AccountPerson &
  Pick<Passkey, "credential_id" | "public_key" | "transports"> & {
    passkey_id: string;
    passkey_name: string;
  };

/**
 * Returns the owner of the passkey that answered the challenge, or undefined if no active account
 * matches. A counter that doesn't increase indicates a copy (WebAuthn §6.1.1). The copy is refused
 * and the person notified.
 */
export async function usePasskey(
  tx: Tx,
  services: SecondFactorServices,
  answer: { relyingParty: RelyingParty; response: string; challenge: Challenge },
): Promise<AccountPerson | undefined> {
  const response = parse(answer.response) as AuthenticationResponseJSON | undefined;
  const owner = response && (await findOwner(tx, response));
  if (response === undefined || owner === undefined) return undefined;
  const counter = await verifyUse(answer, response, owner);
  if (counter === undefined || !(await spendChallenge(tx, answer.challenge))) return undefined;
  const { id, name, email } = owner;
  const person = { id, name, email };
  const used = await tx.query(
    `UPDATE passkeys SET sign_count = $2, last_used_at = app_now()
     WHERE id = $1 AND (sign_count < $2 OR sign_count = 0 AND $2 = 0) RETURNING 1`,
    [owner.passkey_id, counter],
  );
  if (used.length === 1) return person;
  await tellOfChange(tx, services, person, { type: "passkey_copied", name: owner.passkey_name });
  return undefined;
}

/** Locks the passkey until its counter is checked and stored. */
async function findOwner(
  db: Tx,
  { id, response }: AuthenticationResponseJSON,
): Promise<PasskeyOwner | undefined> {
  const owner = await db.maybe<PasskeyOwner>(
    `SELECT u.id, u.name, u.email::text AS email, p.id AS passkey_id, p.name AS passkey_name,
       p.credential_id, p.public_key, p.transports
     FROM passkeys p JOIN users u ON u.id = p.user_id
     WHERE p.credential_id = $1 AND u.deactivated_at IS NULL FOR NO KEY UPDATE OF p`,
    [id],
  );
  // WebAuthn §7.2, step 6: if the person wasn't known before, the passkey itself names them.
  const { userHandle } = response as { userHandle?: unknown };
  if (typeof userHandle !== "string") return undefined;
  return owner?.id === Buffer.from(userHandle, "base64url").toString() ? owner : undefined;
}

async function verifyUse(
  { relyingParty, challenge }: { relyingParty: RelyingParty; challenge: Challenge },
  response: AuthenticationResponseJSON,
  { credential_id: id, public_key: publicKey, transports }: PasskeyOwner,
): Promise<number | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge.value,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      credential: {
        id,
        publicKey: new Uint8Array(publicKey),
        // The database compares the counter, so only one of two concurrent uses counts.
        counter: 0,
        transports,
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Checks only for an object with a string `id` and an object `response`. The library validates the
 * rest.
 */
function parse(json: string): unknown {
  try {
    const value = JSON.parse(json) as { id?: unknown; response?: unknown } | null;
    const { id, response } = value ?? {};
    const isAnswer = typeof id === "string" && typeof response === "object" && response !== null;
    return isAnswer ? value : undefined;
  } catch {
    return undefined;
  }
}

function notAccepted(): AppError {
  return new AppError("validation_failed", "passkey_refused");
}
