import type { Context } from "../context.js";
import { exitCodes } from "../errors.js";
import { toLocalTime } from "../local-time.js";
import { bringsOwnCredentials } from "../own-credentials.js";
import { readState } from "../profile/state.js";
import { quote } from "../quote.js";
import { describeSignedOut } from "../signed-out.js";
import { openStore } from "../storage/open-store.js";
import { probeKeychain } from "../storage/probe.js";
import type { AccessToken } from "../tokens/access-token.js";
import { createTokenKeeper, type TokenKeeper } from "../tokens/token-keeper.js";
import { fine, problem, toProblem, type Finding } from "./finding.js";
import { openConversation, type McpAnswer } from "./mcp-request.js";

/** Whether somebody is signed in, and whether the server agrees. */
export async function* checkSession(context: Context): AsyncGenerator<Finding> {
  if (bringsOwnCredentials(context.settings)) return;
  const keeper = createTokenKeeper(context, { openStore: (state) => openStore(context, state) });
  try {
    const token = await keeper.get();
    if (token === undefined) {
      if ((await openConversation(context)).status === 401) yield await signInNeeded(context);
      return;
    }
    yield fine("Token", describeTime(token));
    yield await judge(context, await ask(context, keeper, token));
  } catch (error) {
    yield toProblem("Sign-in", error);
  }
}

/** As the proxy does: a token that is not taken is replaced once. */
async function ask(context: Context, keeper: TokenKeeper, token: AccessToken): Promise<McpAnswer> {
  const answer = await openConversation(context, token.value);
  if (answer.status !== 401) return answer;
  const next = await keeper.replace(token);
  return next === undefined ? answer : openConversation(context, next.value);
}

async function judge(context: Context, { status, serverInfo }: McpAnswer): Promise<Finding> {
  if (status === 401) return signInNeeded(context);
  if (status === 200 && serverInfo !== undefined) {
    const { name, version } = serverInfo;
    return fine("Round trip", `${quote(`${name} ${version}`)} answers with the stored sign-in`);
  }
  const detail = `the server answers with status ${status} to somebody who is signed in`;
  return problem("Round trip", detail, "Try again later, or ask who runs the server.");
}

function describeTime({ expiresAt }: AccessToken): string {
  if (expiresAt === Infinity) return "there is a token";
  return `there is a token, good until ${toLocalTime(expiresAt)}`;
}

async function hasKeychain(): Promise<boolean> {
  return Object.values(await probeKeychain()).some(
    ({ outcome }) => outcome !== "absent" && outcome !== "missing",
  );
}

async function signInNeeded({ profile, settings }: Context): Promise<Finding> {
  const detail = describeSignedOut(await readState(profile));
  const name = profile.name === "" ? "" : ` --profile ${profile.name}`;
  // Where nothing can be kept, login refuses unless a file is allowed.
  const inFile = settings.storage === "file" || !(await hasKeychain());
  const advice = `fettle-bridge login ${settings.server}${name}${inFile ? " --storage file" : ""}`;
  return problem("Sign-in", detail, advice, exitCodes.signInNeeded);
}
