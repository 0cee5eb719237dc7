import { get } from "node:http";
import { createInterface } from "node:readline";
import { exitCodes } from "../common/errors.js";
import { createLog } from "../common/log.js";
import type { Context } from "../context/context.js";
import type { Io } from "../context/io.js";
import { profileLabel, readState } from "../profile/profile.js";
import { createSignIn, type PendingSignIn } from "../sign-in/sign-in.js";
import { chooseBackend } from "../storage/open-store.js";

export async function login(
  context: Context,
  io: Io,
  requestSignIn = createSignIn(context),
): Promise<number> {
  const say = (text: string) => {
    io.writeErr(`fettle-bridge: ${text}\n`);
  };
  const { host } = new URL(context.settings.server);
  // The sign-in prints its own messages when it begins.
  const quiet = { ...context, log: createLog("silent", io.writeErr) };
  const store = await chooseBackend(quiet, await readState(context.profile), { mayUnlock: true });
  if (store.backend === "memory") {
    say(
      "Nothing was done: without a keychain the sign-in would end with this command. Install or " +
        "unlock a keychain, or add --storage file to keep the sign-in in a file.",
    );
    return exitCodes.signInNeeded;
  }
  const pending = await requestSignIn({ cause: "person" });
  if (pending === undefined) return exitCodes.signInNeeded;
  const stopReading = showAddress(pending, host, io, say);
  const outcome = await pending.outcome;
  stopReading();
  if (outcome.kind !== "done") {
    say(outcome.message);
    return exitCodes.signInNeeded;
  }
  io.writeOut(`Signed in to ${profileLabel(context.profile)}.\n`);
  return exitCodes.ended;
}

function showAddress(
  pending: PendingSignIn,
  host: string,
  { stdin }: Io,
  say: (text: string) => void,
): () => void {
  if (pending.url === "") return () => undefined;
  if (pending.browser === "opened") {
    say(`Sign in to ${host} in the browser. If no window opens, go to ${pending.url}`);
    return () => undefined;
  }
  say(`Open this address in a browser to sign in to ${host}:\n\n${pending.url}\n`);
  if (!stdin.isTTY) return () => undefined;
  say(
    "If that browser is on another computer, it ends on a page that cannot be loaded. " +
      "Copy the address of that page and paste it here.",
  );
  const lines = createInterface({ input: stdin });
  lines.on("line", (line) => {
    const address = parseCallbackUrl(line, pending.url);
    if (address === undefined) say("That is not the address the browser ends on. Paste it whole.");
    // Makes the request that the browser couldn't make. The receiver validates it.
    else get(address, (answer) => answer.resume()).on("error", () => undefined);
  });
  return () => {
    lines.close();
  };
}

/** Parses the pasted line if it is the authorization server's redirect. */
export function parseCallbackUrl(line: string, signInUrl: string): URL | undefined {
  const redirectUri = new URL(signInUrl).searchParams.get("redirect_uri") ?? "";
  if (!URL.canParse(line.trim()) || !URL.canParse(redirectUri)) return undefined;
  const pasted = new URL(line.trim());
  const expected = new URL(redirectUri);
  const same = pasted.origin === expected.origin && pasted.pathname === expected.pathname;
  return same && pasted.searchParams.has("state") ? pasted : undefined;
}
