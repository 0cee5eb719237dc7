import { styleText } from "node:util";
import type { Command, Option } from "commander";
import { variableNames } from "../config.js";
import { warnAboutTypos } from "../variables.js";
import type { Io } from "./io.js";

/** Headings of `fettle --help`. */
export const groups = {
  server: "Run the server:",
  people: "Manage people:",
  organizations: "Manage organizations:",
  data: "Back up and move data:",
  samples: "Try it out:",
} as const;

const helpWidth = 80;

const notes = `
Commands read the same variables as the server: DATABASE_URL, or DATA_DIR for
the embedded database. You can run most of them while the server runs.

In a terminal, commands print tables and sentences. Elsewhere, and with --json,
each result is one line of JSON. Messages and errors go to stderr.

Run "fettle <command> --help" for the options and examples of a command.`;

const exitCodes = `
Exit codes: 0 done, 1 failed or found a problem, 2 wrong usage.`;

/** Everything that subcommands inherit. Call it before they are added. */
export function describeProgram(program: Command, io: Io): Command {
  const { output } = io;
  return program
    .description("Run and manage a Fettle server.")
    .addHelpText("after", notes)
    .addHelpText("afterAll", exitCodes)
    .helpOption("-h, --help", "show help")
    .configureHelp({
      visibleCommands: (command) => [...command.commands],
      subcommandTerm: (command) => command.name(),
      optionDescription: describeOption,
      styleTitle: (title) => styleText("bold", title),
    })
    .configureOutput({
      getOutHelpWidth: () => Math.min(output?.columns || helpWidth, helpWidth),
      getErrHelpWidth: () => helpWidth,
      writeOut: (text) => {
        io.write(text.trimEnd());
      },
      writeErr: (text) => {
        io.writeError(text.trimEnd());
      },
    })
    .exitOverride()
    .hook("preAction", () => {
      warnAboutTypos(io.variables, variableNames).forEach(io.writeError);
    });
}

function describeOption({ description, argChoices, defaultValue }: Option): string {
  const notes = [
    ...(argChoices === undefined ? [] : [argChoices.join(", ")]),
    ...(typeof defaultValue === "string" ? [`default: ${defaultValue}`] : []),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
}

/** Lines that start with a space continue the one before. */
export function withExamples(command: Command, ...examples: string[]): Command {
  const lines = examples.flatMap((example) => example.split("\n")).map((line) => `  ${line}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/** Groups required options, and puts errors on one line. Call it after adding all commands. */
export function finishHelp(command: Command, path = command.name()): void {
  for (const option of command.options) {
    if (option.mandatory) option.helpGroup("Required:");
  }
  command.configureOutput({
    outputError: (text, write) => {
      write(toOneLine(text, path));
    },
  });
  for (const sub of command.commands) finishHelp(sub, `${path} ${sub.name()}`);
}

/** Commander's errors are a fragment, then a suggestion in parentheses on its own line. */
function toOneLine(text: string, path: string): string {
  const [fragment = "", suggestion = ""] = text
    .trim()
    .replace(/^error: /, "")
    .split("\n");
  const sentence = fragment.replace(/[^.]$/, "$&.").replace(/^./, (first) => first.toUpperCase());
  const parts = [sentence, suggestion.replace(/^\((.*)\)$/, "$1"), `See: ${path} --help`];
  return parts.filter((part) => part !== "").join(" ");
}

const formerNames: Readonly<Record<string, string>> = {
  connections: "connection",
  mail: "email",
  members: "member",
  sessions: "session",
};

/** Replaces names of earlier versions, which the help doesn't show. */
export function replaceFormerName(args: readonly string[]): string[] {
  const place = args[0] === "help" ? 1 : 0;
  return args.map((arg, index) =>
    index === place && Object.hasOwn(formerNames, arg) ? (formerNames[arg] ?? arg) : arg,
  );
}
