import type { Environment } from "../common/settings.js";
import {
  type Call,
  onSessionBus,
  type SendCall,
  toDictionary,
  toText,
  toVariantType,
} from "./dbus.js";

const destination = "org.freedesktop.secrets";
const itemInterface = "org.freedesktop.Secret.Item";

/**
 * Whether the keychain of a Linux session is locked, asked of the Secret Service by D-Bus: the
 * libraries can only find out by asking the person to unlock it. Undefined where nobody can tell.
 */
export async function isSecretServiceLocked(
  environment: Environment,
): Promise<boolean | undefined> {
  const names = ["org.freedesktop.Secret.Collection", "Locked"].map(toText);
  const body = await onSessionBus(environment, (send) =>
    send({
      ...property("/org/freedesktop/secrets/aliases/default", "Get"),
      signature: "ss",
      arguments: names,
    }),
  );
  // A variant of a boolean ends with its word.
  return body && body.readUInt32LE(body.length - 4) === 1;
}

function property(path: string, member: "Get" | "Set"): Call {
  return { destination, path, interface: "org.freedesktop.DBus.Properties", member };
}

/** The attribute by which keytar and by which `@napi-rs/keyring` looks for an account. */
export type AccountAttribute = "account" | "username";

/**
 * Has the item of an account the attributes of both libraries, so that each of them finds it. The
 * item that has the own one counts, and others of the account go. False where there is none.
 */
export async function shareItem(
  environment: Environment,
  { service, account, own }: { service: string; account: string; own: AccountAttribute },
): Promise<boolean> {
  const shared = { service, account, username: account };
  const shareIn = async (send: SendCall) => {
    const other = own === "account" ? "username" : "account";
    const mine = await search(send, { service, [own]: account });
    const theirs = await search(send, { service, [other]: account });
    const [kept] = [...mine, ...theirs];
    if (kept === undefined) return false;
    for (const path of theirs) {
      if (path === kept || mine.includes(path)) continue;
      await send({ destination, path, interface: itemInterface, member: "Delete" });
    }
    if (mine.includes(kept) && theirs.includes(kept)) return true;
    const attributes = { ...shared, "xdg:schema": "org.freedesktop.Secret.Generic" };
    const set = {
      ...property(kept, "Set"),
      signature: "ssv",
      arguments: [
        ...[itemInterface, "Attributes"].map(toText),
        toVariantType("a{ss}"),
        ...toDictionary(attributes),
      ],
    };
    return (await send(set)) !== undefined;
  };
  return (await onSessionBus(environment, shareIn)) ?? false;
}

/** The paths of the items with these attributes, but for locked ones. */
async function search(send: SendCall, attributes: Record<string, string>): Promise<string[]> {
  const body = await send({
    destination,
    path: "/org/freedesktop/secrets",
    interface: "org.freedesktop.Secret.Service",
    member: "SearchItems",
    signature: "a{ss}",
    arguments: toDictionary(attributes),
  });
  if (body === undefined) return [];
  const end = 4 + body.readUInt32LE(0);
  const paths = [];
  for (let at = 4; at < end;) {
    // Each begins at a multiple of 4 and ends with a zero byte.
    at = Math.ceil(at / 4) * 4;
    const length = body.readUInt32LE(at);
    paths.push(body.toString("utf8", at + 4, at + 4 + length));
    at += 4 + length + 1;
  }
  return paths;
}
