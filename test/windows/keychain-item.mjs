// Checks the refresh token's item in Credential Manager. "age" renames it as earlier versions did.
// Always prints the names under which an item exists.
import { createRequire } from "node:module";

const [bridge, key, task] = process.argv.slice(2);
const { Entry } = createRequire(bridge)("@napi-rs/keyring");
const now = new Entry("fettle-bridge", `fettle-bridge/${key}`);
const before = new Entry("fettle-bridge", key);
if (task === "age") {
  before.setSecret(Buffer.from(now.getSecret()));
  now.deleteCredential();
}
const names = Object.entries({ now, before }).filter(([, entry]) => entry.getSecret() !== null);
process.stdout.write(`There by the name of ${names.map(([name]) => name).join(" and ")}\n`);
