export const secondFactorAddress = "/signin/second-factor";
export const passkeyAddress = "/signin/passkey";
export const providerAddress = "/signin/provider";

/** One per organization, so no provider receives another provider's code (RFC 9700 §4.4.2). */
export function providerCallback(organizationId: string): string {
  return `${providerAddress}/callback/${organizationId}`;
}

/** A sign-in address with the key of the stored return address. */
export function withNext(address: string, next: string): string {
  return next === "" ? address : `${address}?${new URLSearchParams({ next }).toString()}`;
}
