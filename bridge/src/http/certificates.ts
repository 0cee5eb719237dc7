import { readFileSync } from "node:fs";
import type { SecureContext } from "node:tls";
import { BridgeError, errorMessage } from "../common/errors.js";
import type { Settings } from "../common/settings.js";

/** Whom a connection trusts, and as whom it introduces itself; nothing where Node's own rules hold. */
export interface Certificates {
  ca?: string[];
  /** Made once, for reading all authorities again costs time with every connection. */
  secureContext?: SecureContext;
}

/** From Node 22.15 on; what organizations put there is unknown to Node otherwise. */
type GetCaCertificates = ((type: "system") => string[]) | undefined;

export async function readCertificates(
  settings: Pick<Settings, "caFile" | "cert" | "key" | "environment">,
  system: readonly string[] = [],
): Promise<Certificates> {
  const { caFile, cert, key = cert, environment } = settings;
  const own = caFile !== undefined || system.length > 0;
  if (!own && cert === undefined) return {};
  const { createSecureContext, rootCertificates } = await import("node:tls");
  const extra = environment["NODE_EXTRA_CA_CERTS"];
  const files = new Set([caFile, extra].filter((file) => file !== undefined && file !== ""));
  // Setting any replaces Node's own list, so that and what Node was given go in again.
  const ca = own
    ? [...rootCertificates, ...[...files].map((file) => read(file, "CA file")), ...system]
    : undefined;
  const identity =
    cert === undefined || key === undefined
      ? {}
      : { cert: read(cert, "certificate"), key: read(key, "key") };
  const trust = ca === undefined ? {} : { ca };
  try {
    return { ...trust, secureContext: createSecureContext({ ...trust, ...identity }) };
  } catch (cause) {
    const message = `The client certificate and its key cannot be used: ${errorMessage(cause)}`;
    throw new BridgeError("wrong_usage", message, { cause });
  }
}

/** The authorities that this system trusts; none where this Node cannot read them. */
export async function readSystemAuthorities(): Promise<string[]> {
  const tls = (await import("node:tls")) as { getCACertificates?: GetCaCertificates };
  return tls.getCACertificates?.("system") ?? [];
}

/** Of handshakes that fail for an authority that is not known. */
const unknownAuthority = [
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
];

export function isUnknownAuthority(code: unknown): boolean {
  return unknownAuthority.includes(String(code));
}

function read(file: string | undefined, what: string): string {
  try {
    return readFileSync(file ?? "", "utf8");
  } catch (cause) {
    throw new BridgeError("wrong_usage", `The ${what} "${file ?? ""}" cannot be read.`, { cause });
  }
}
