import { exitCodes } from "../common/errors.js";
import { hasAuthorizationHeader } from "../common/settings.js";
import { quote, toLocalTime } from "../common/text.js";
import type { Context } from "../context/context.js";
import { profileOption } from "../profile/profile.js";
import { describeSignedOut } from "../profile/signed-out.js";
import { readState } from "../profile/state.js";
import { probeKeychain } from "../storage/keychain-libraries.js";
import { openStore } from "../storage/open-store.js";
import { createTokenManager, type TokenManager } from "../tokens/token-manager.js";
import type { AccessToken } from "../tokens/token-pair.js";
import { type Finding, ok, problem, toProblem } from "./finding.js";
import { type InitializeAnswer, sendInitialize } from "./send-initialize.js";

/** Whether somebody is signed in, and whether the server agrees. */
export async function* checkSession(context: Context): AsyncGenerator<Finding> {
  if (hasAuthorizationHeader(context.settings)) return;
  const manager = createTokenManager(context, { openStore: (state) => openStore(context, state) });
  try {
    const token = await manager.get();
    if (token === undefined) {
      if ((await sendInitialize(context)).status === 401) yield await signInNeeded(context);
      return;
    }
    yield ok("Token", describeTime(token));
    yield await evaluate(context, await ask(context, manager, token));
  } catch (error) {
    yield toProblem("Sign-in", error);
  }
}

/** As the proxy does: a token that is not taken is replaced once. */
async function ask(
  context: Context,
  manager: TokenManager,
  token: AccessToken,
): Promise<InitializeAnswer> {
  const answer = await sendInitialize(context, token.value);
  if (answer.status !== 401) return answer;
  const next = await manager.replace(token);
  return next === undefined ? answer : sendInitialize(context, next.value);
}

async function evaluate(
  context: Context,
  { status, serverInfo }: InitializeAnswer,
): Promise<Finding> {
  if (status === 401) return signInNeeded(context);
  if (status === 200 && serverInfo !== undefined) {
    const { name, version } = serverInfo;
    return ok("Round trip", `${quote(`${name} ${version}`)} answers with the stored sign-in`);
  }
  const detail = `the server answers with status ${status} to somebody who is signed in`;
  return problem("Round trip", detail, "Try again later, or ask who runs the server.");
}

function describeTime({ expiresAt }: AccessToken): string {
  if (expiresAt === Infinity) return "there is a token";
  return `there is a token, good until ${toLocalTime(expiresAt)}`;
}

async function hasKeychain({ environment }: Context["settings"]): Promise<boolean> {
  return Object.values(await probeKeychain(environment)).some(
    ({ outcome }) => outcome !== "absent" && outcome !== "missing",
  );
}

async function signInNeeded({ profile, settings }: Context): Promise<Finding> {
  const detail = describeSignedOut(await readState(profile));
  // Where nothing can be kept, login refuses unless a file is allowed.
  const inFile = settings.storage === "file" || !(await hasKeychain(settings));
  const options = `${profileOption(profile.name)}${inFile ? " --storage file" : ""}`;
  const advice = `fettle-bridge login ${settings.server}${options}`;
  return problem("Sign-in", detail, advice, exitCodes.signInNeeded);
}
