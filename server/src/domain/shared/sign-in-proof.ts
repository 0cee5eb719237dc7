/** What can be asked for besides the first way; a passkey is enough by itself. */
export type SecondFactor = "authenticator" | "recovery_code" | "passkey";

/** How a person showed who they are: the way in, and the second factor where that way asks for one. */
export interface SignInProof {
  method: "password" | "passkey" | "provider";
  factor?: SecondFactor;
  /** The organization whose identity provider asked for more than one factor: enough there. */
  factorsOf?: string;
}

export function isFirstWayAlone({ method, factor, factorsOf }: SignInProof): boolean {
  return method !== "passkey" && factor === undefined && factorsOf === undefined;
}

/** Whether a factor of the person's own was shown. */
export function hasOwnFactor({ method, factor }: SignInProof): boolean {
  return method === "passkey" || factor !== undefined;
}

/** Whether a provider's factors were enough, and one that the person may have was not asked for. */
export function isOwnFactorLeftOut({ factor, factorsOf }: SignInProof): boolean {
  return factor === undefined && factorsOf !== undefined;
}
