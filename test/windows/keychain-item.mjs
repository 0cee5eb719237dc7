// The refresh token's item in Credential Manager: "age" gives it the name that earlier versions wrote,
// and both say under which names there is one.
import { createRequire } from "node:module";

const [bridge, key, task] = process.argv.slice(2);
const { Entry } = createRequire(bridge)("@napi-rs/keyring");
const now = Entry.withTarget(`fettle-bridge/${key}`, "fettle-bridge", key);
const before = new Entry("fettle-bridge", key);
if (task === "age") {
  before.setSecret(now.getSecret());
  now.deleteCredential();
}
const isThere = (entry) => entry.getSecret() !== null;
process.stdout.write(`${JSON.stringify({ now: isThere(now), before: isThere(before) })}\n`);
