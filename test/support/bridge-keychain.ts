import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/**
 * The keychain in a process's session. "no collection": a keychain that was never set up; "no
 * service": a bus without a keychain; "hanging": a keychain that no longer answers.
 */
export type KeychainKind =
  "unlocked" | "locked" | "no collection" | "no service" | "no bus" | "dead bus" | "hanging";

export interface KeychainHome {
  /** A private folder with the keyring's files. */
  path: string;
  /** Returns the command prefix and variables that start a separate session. */
  session: (kind: KeychainKind) => KeychainSession;
  /** Number of password prompts that the keychain would have shown. */
  questions: () => number;
  /** Runs a program in a separate session. `locked` requires an earlier unlocked session. */
  run: (kind: KeychainKind, command: readonly string[]) => Promise<Ended>;
  remove: () => void;
}

export interface KeychainSession {
  prefix: readonly string[];
  variables: Record<string, string>;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const daemon = "gnome-keyring-daemon --components=secrets";
const ownerPid =
  "dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / " +
  "org.freedesktop.DBus.GetConnectionUnixProcessID string:org.freedesktop.secrets | " +
  "awk '{ print $2 }'";

/** Shell lines that run before the program, on a private bus. An empty password is not enough. */
const preparations: Partial<Record<KeychainKind, string>> = {
  unlocked: `printf '\\n' | ${daemon} --unlock >&2`,
  locked: `${daemon} --start >&2`,
  "no collection": `${daemon} --start >&2`,
  "no service": ":",
  hanging: `printf '\\n' | ${daemon} --unlock >&2
    until daemon=$(${ownerPid}); [ -n "$daemon" ]; do sleep 0.05; done; kill -STOP $daemon`,
};

/** Prompts are services of the bus. This one records its start and exits. */
const prompter = (path: string) => `[D-BUS Service]
Name=org.gnome.keyring.SystemPrompter
Exec=/bin/sh -c 'echo asked >>${path}; exit 1'
`;

const toConfiguration = (
  services: string,
) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  ${services}
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

export function makeKeychainHome(): KeychainHome {
  const path = mkdtempSync(join(tmpdir(), "fettle-keychain-"));
  const noServices = join(path, "no-services.conf");
  writeFileSync(noServices, toConfiguration(""));
  const counting = join(path, "counting.conf");
  const asked = join(path, "asked");
  mkdirSync(join(path, "services"));
  writeFileSync(join(path, "services/prompter.service"), prompter(asked));
  const folders = `<servicedir>${path}/services</servicedir><standard_session_servicedirs/>`;
  writeFileSync(counting, toConfiguration(folders));
  const variables = { PATH: process.env["PATH"] ?? "", HOME: path, XDG_RUNTIME_DIR: path };
  const session = (kind: KeychainKind): KeychainSession => {
    if (kind === "no bus") return { prefix: [], variables };
    if (kind === "dead bus") {
      const address = `unix:path=${join(path, "nobody-listens")}`;
      return { prefix: [], variables: { ...variables, DBUS_SESSION_BUS_ADDRESS: address } };
    }
    const configuration = `--config-file=${kind === "no service" ? noServices : counting}`;
    const script = `
      ${preparations[kind] ?? ""}
      "$@"; code=$?
      [ -z "$daemon" ] || { kill -CONT $daemon; kill $daemon; }
      exit $code`;
    const prefix = ["dbus-run-session", configuration, "--", "bash", "-c", script, "bash"];
    return { prefix, variables };
  };

  return {
    path,
    session,
    questions: () => (existsSync(asked) ? readFileSync(asked, "utf8").split("\n").length - 1 : 0),
    run: async (kind, command) => {
      const { prefix, variables } = session(kind);
      return runIn(variables, [...prefix, ...command]);
    },
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** After this time the whole session and its processes end. */
const maxDurationMs = 60_000;

async function runIn(
  environment: NodeJS.ProcessEnv,
  [program = "", ...arguments_]: readonly string[],
): Promise<Ended> {
  const child = spawn(program, arguments_, {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const tooLong = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, maxDurationMs);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  clearTimeout(tooLong);
  return { code, stdout, stderr };
}
