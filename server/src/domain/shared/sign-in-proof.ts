/** Factors in addition to the first. A passkey needs no other factor. */
export type SecondFactor = "authenticator" | "recovery_code" | "passkey";

/** How a person signed in: the method, and the second factor if the method requires one. */
export interface SignInProof {
  method: "password" | "passkey" | "provider";
  factor?: SecondFactor;
  /**
   * The organization whose identity provider asked for more than one factor. That is enough there.
   */
  factorsOf?: string;
}

export function isFirstWayAlone({ method, factor, factorsOf }: SignInProof): boolean {
  return method !== "passkey" && factor === undefined && factorsOf === undefined;
}

/** True if the person used a passkey or a second factor with us. */
export function hasOwnFactor({ method, factor }: SignInProof): boolean {
  return method === "passkey" || factor !== undefined;
}

/** True if a provider's factors were enough, and the person's own factor was not requested. */
export function isOwnFactorLeftOut({ factor, factorsOf }: SignInProof): boolean {
  return factor === undefined && factorsOf !== undefined;
}
