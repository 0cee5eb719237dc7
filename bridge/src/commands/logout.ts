import { exitCodes } from "../common/errors.js";
import type { Context } from "../context/context.js";
import type { Io } from "../context/io.js";
import { profileLabel, readState } from "../profile/profile.js";
import { clearStartupCache } from "../proxy/local/startup-cache.js";
import { openBackend, openOthers } from "../storage/open-store.js";
import { signOut } from "../tokens/stored-sign-in.js";

/** Signs out at the server and deletes the local sign-in, even if the server is unreachable. */
export async function logout(context: Context, { writeOut, writeErr }: Io): Promise<number> {
  const { profile } = context;
  const { signedIn, backend } = await readState(profile);
  if (!signedIn || backend === undefined) {
    await signOut(context, undefined, await openOthers(context, undefined));
    writeOut(`Not signed in to ${profileLabel(profile)}.\n`);
    return exitCodes.ended;
  }
  await clearStartupCache(profile);
  const store = await openBackend(context, backend);
  const { notRevoked } = await signOut(context, store, await openOthers(context, backend));
  writeOut(`Signed out of ${profileLabel(profile)}.\n`);
  if (notRevoked === undefined) return exitCodes.ended;
  if (notRevoked === "not_offered") {
    writeOut(
      "The tokens are deleted here. The server offers no way to tell it, so there they stay good " +
        "until it ends them by itself.\n",
    );
    return exitCodes.ended;
  }
  writeErr(
    "fettle-bridge: The tokens are deleted here, but the server could not be told to end them. " +
      `End the connection there too, at Fettle under Settings > Connected Apps. ` +
      `(${notRevoked.message})\n`,
  );
  return exitCodes.unreachable;
}
