import type { Settings } from "../../bridge/src/common/settings.js";
import { createSignIn } from "../../bridge/src/sign-in/sign-in.js";
import { aContext } from "./bridge-context.js";

/** A bridge that requests a sign-in, prints its address and waits for the end. */
const [settings = "", program = ""] = process.argv.slice(2);
const context = aContext(JSON.parse(settings) as Settings);
const pending = await createSignIn(context, { script: program })({ cause: "person" });
process.stdout.write(`${pending?.url ?? ""}\n`);
await pending?.outcome;
