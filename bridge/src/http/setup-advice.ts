/** What to do about a name that nobody knows. */
export const nameAdvice = "Check the address for typing mistakes, your connection, and your VPN.";

/** Another user of this computer listens where the server should; nothing was sent there. */
export class ServedByOtherUser extends Error {}

/** What to do about a server on this computer that is not the one it was taken for. */
export const otherUserAdvice =
  "Check that your server runs. If it is meant to be that user's, it has to be reached by https.";

/** What to do about a certificate that is not trusted, by the code of TLS; undefined for other errors. */
export function certificateAdvice(code = ""): string | undefined {
  if (/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) {
    return "Check the clock of this computer; if it is right, the server needs a new certificate.";
  }
  if (code.includes("ALTNAME")) return "Use the name that the certificate was made for.";
  return /CERT|VERIFY|ISSUER/.test(code)
    ? "If that is the certificate authority of your organization, save it in PEM form and name " +
        "the file with --ca-file or NODE_EXTRA_CA_CERTS."
    : undefined;
}
