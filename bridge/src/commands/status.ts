import { BridgeError, exitCodes } from "../common/errors.js";
import { quote, toLocalTime } from "../common/text.js";
import type { Context } from "../context/context.js";
import type { Io } from "../context/io.js";
import {
  describeSignedOut,
  places,
  profileLabel,
  type ProfileState,
  readState,
} from "../profile/profile.js";
import { openBackend } from "../storage/open-store.js";
import { readPair } from "../tokens/rotation.js";

type Status = Awaited<ReturnType<typeof readStatus>>;

/** Prints local information only. Sends no requests. */
export async function showStatus(
  contexts: readonly Context[],
  { writeOut }: Io,
  json: boolean,
): Promise<number> {
  const all: Status[] = [];
  for (const context of contexts) all.push(await readStatus(context));
  if (json) writeOut(`${JSON.stringify(all, null, 2)}\n`);
  else writeOut(all.length === 0 ? "No server has been used yet.\n" : all.map(toText).join("\n"));
  return exitCodes.ended;
}

async function readStatus(context: Context) {
  const state = await readState(context.profile);
  const { server, profile, backend, authorization, lastSignIn, refreshedAt } = state;
  return {
    server,
    profile,
    ...(await findSignIn(context, state)),
    storage: backend,
    scopes: authorization?.scope?.split(" ").filter(Boolean) ?? [],
    signedInAt: lastSignIn?.outcome === "done" ? lastSignIn.at : undefined,
    refreshedAt,
    authorizationServer: authorization?.issuer,
  };
}

interface SignInStatus {
  signedIn: boolean;
  /** Why no one is signed in, or why the tokens can't be read now. */
  remark: string | undefined;
}

/** The recorded sign-in, verified against the token storage. */
async function findSignIn(context: Context, state: ProfileState): Promise<SignInStatus> {
  const { backend, authorization } = state;
  if (!state.signedIn || backend === undefined || authorization === undefined) {
    return { signedIn: false, remark: describeSignedOut(state) };
  }
  try {
    const pair = await readPair(await openBackend(context, backend), authorization);
    if (pair !== undefined) return { signedIn: true, remark: undefined };
    const remark = describeSignedOut(
      backend === "memory" ? state : { ...state, signedOutBecause: "keychain_reset" },
    );
    return { signedIn: false, remark };
  } catch (error) {
    if (error instanceof BridgeError) return { signedIn: true, remark: error.message };
    throw error;
  }
}

function toText(status: Status): string {
  const { server, profile: name, signedIn, remark, storage, scopes } = status;
  const { signedInAt, refreshedAt } = status;
  const lines = [profileLabel({ server, name })];
  if (signedIn)
    lines.push(`signed in${signedInAt === undefined ? "" : ` since ${toLocalTime(signedInAt)}`}`);
  if (remark !== undefined) lines.push(remark);
  if (signedIn && storage !== undefined) lines.push(`tokens are in ${places[storage]}`);
  if (signedIn && scopes.length > 0) lines.push(`scopes: ${quote(scopes.join(" "))}`);
  if (signedIn && refreshedAt !== undefined)
    lines.push(`last refresh: ${toLocalTime(refreshedAt)}`);
  return `${lines.join("\n  ")}\n`;
}
