import { isIP } from "node:net";
import { t } from "../../language/translate.js";

export function describePrivateAddress(host: string): string {
  const what =
    isIP(host) === 0
      ? t("{host} has a private address.", { host })
      : t("{host} is a private address.", { host });
  return `${what} ${t("The server's administrator can allow it with ALLOWED_PRIVATE_NETWORKS.")}`;
}
