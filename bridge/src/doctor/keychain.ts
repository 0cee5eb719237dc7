import { exitCodes } from "../common/errors.js";
import type { Context } from "../context/context.js";
import { readState } from "../profile/state.js";
import { type LibraryProbe, probeKeychain } from "../storage/keychain-libraries.js";
import type { KeychainLibrary } from "../storage/keychain.js";
import { keepsInFile } from "../storage/open-store.js";
import { type Finding, ok, problem, warning } from "./finding.js";

const check = "Keychain";
const waysOut =
  "Start a keychain (GNOME Keyring, KWallet or KeePassXC on Linux), or use --storage file.";

/** Whether refresh tokens can be kept, and whether the ones that are can be read. */
export async function* checkKeychain({ settings, profile }: Context): AsyncGenerator<Finding> {
  const { backend, signedIn } = await readState(profile);
  if (keepsInFile(settings.storage, backend)) {
    yield ok(check, "not used, tokens are kept in a file");
    return;
  }
  const probes = await probeKeychain(settings.environment);
  const recorded = signedIn && backend !== undefined && backend in probes ? backend : undefined;
  yield evaluate(probes, recorded as KeychainLibrary | undefined, settings.storage === "keychain");
}

function evaluate(
  probes: Record<KeychainLibrary, LibraryProbe>,
  recorded: KeychainLibrary | undefined,
  isRequired: boolean,
): Finding {
  // Where the recorded one is gone, the other one finds what it kept.
  const isThere = recorded !== undefined && probes[recorded].outcome !== "missing";
  const libraries = isThere ? [recorded] : (["keytar", "keyring"] as const);
  const detail = libraries.map((library) => describe(library, probes[library])).join("; ");
  const outcomes = libraries.map((library) => probes[library].outcome);
  if (outcomes.includes("works")) return ok(check, detail);
  if (outcomes.includes("locked")) {
    return problem(check, detail, "Unlock it, then try again.", exitCodes.signInNeeded);
  }
  if (recorded !== undefined || isRequired) {
    return problem(check, detail, waysOut, exitCodes.signInNeeded);
  }
  return warning(check, detail, `Each start will need a new sign-in. ${waysOut}`);
}

const packages: Record<KeychainLibrary, string> = {
  keytar: "keytar",
  keyring: "@napi-rs/keyring",
};

function describe(library: KeychainLibrary, probe: LibraryProbe): string {
  const name = packages[library];
  switch (probe.outcome) {
    case "works":
      return `it works by way of ${probe.keychain.by ?? name}`;
    case "locked":
      return `it is locked, says ${name}`;
    case "absent":
      return `there is none, says ${name}`;
    case "missing":
      return `${name} is not installed or not built`;
    case "failed":
      return `it does not work by way of ${name}: ${probe.detail}`;
  }
}
