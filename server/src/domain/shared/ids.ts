import { randomBytes } from "node:crypto";

/** Prefix of each kind of id. Lets errors name the kind of a wrong id. */
export const idPrefixes = {
  organization: "org_",
  user: "usr_",
  workspace: "wsp_",
  asset: "ast_",
  task: "tsk_",
  plan: "pln_",
  procedure: "prc_",
  invite: "inv_",
  event: "evt_",
  category: "cat_",
  connection: "con_",
  changeSet: "chg_",
  file: "fil_",
  comment: "cmt_",
  report: "rep_",
  place: "plc_",
  taskLink: "lnk_",
  confirmation: "cnf_",
  round: "rnd_",
  webhook: "whk_",
  meter: "mtr_",
  reading: "rdg_",
} as const;

export type IdKind = keyof typeof idPrefixes;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Twelve characters of Crockford base 32 in lower case: 60 random bits. */
export function createToken(): string {
  let text = "";
  for (const byte of randomBytes(12)) text += alphabet.charAt(byte & 31);
  return text;
}

export function createId(kind: IdKind): string {
  return idPrefixes[kind] + createToken();
}

export function idKindOf(text: string): IdKind | undefined {
  if (!/^[a-z]{3}_[0-9a-z]{12}$/.test(text)) return undefined;
  for (const [kind, prefix] of Object.entries(idPrefixes)) {
    if (text.startsWith(prefix)) return kind as IdKind;
  }
  return undefined;
}

/** The 60 random bits of an id, where its twelve characters are too long. */
export function bitsOf(id: string): bigint {
  let bits = 0n;
  for (const character of id.slice(-12)) {
    bits = bits * 32n + BigInt(alphabet.indexOf(character));
  }
  return bits;
}

export function idOfBits(kind: IdKind, bits: bigint): string {
  let text = "";
  for (let shift = 55n; shift >= 0n; shift -= 5n) {
    text += alphabet.charAt(Number((bits >> shift) & 31n));
  }
  return idPrefixes[kind] + text;
}
