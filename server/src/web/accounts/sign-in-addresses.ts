export const secondFactorAddress = "/signin/second-factor";
export const passkeyAddress = "/signin/passkey";
export const providerAddress = "/signin/provider";

/** One for each organization, so that no provider gets the code of another's (RFC 9700 §4.4.2). */
export function providerCallback(organizationId: string): string {
  return `${providerAddress}/callback/${organizationId}`;
}

/** An address of the sign-in, with the kept address to go on to. */
export function withNext(address: string, next: string): string {
  return next === "" ? address : `${address}?${new URLSearchParams({ next }).toString()}`;
}
