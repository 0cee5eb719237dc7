export const secondFactorAddress = "/signin/second-factor";
export const passkeyAddress = "/signin/passkey";
export const providerAddress = "/signin/provider";

/** Exactly this is registered at identity providers. */
export const providerCallback = `${providerAddress}/callback`;

/** An address of the sign-in, with the kept address to go on to. */
export function withNext(address: string, next: string): string {
  return next === "" ? address : `${address}?${new URLSearchParams({ next }).toString()}`;
}
