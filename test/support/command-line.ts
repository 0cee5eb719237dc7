import { Readable, Writable } from "node:stream";
import type { Io } from "../../server/src/commands/io.js";
import { createCommands, createProgram } from "../../server/src/commands/program.js";

type Command = ReturnType<typeof createCommands>;

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

function makeIo(): Io & { written: Omit<Ran, "code"> } {
  const written = { stdout: "", stderr: "" };
  return {
    variables: {},
    stdin: Readable.from([]),
    write: (line) => (written.stdout += `${line}\n`),
    writeError: (line) => (written.stderr += `${line}\n`),
    report: () => undefined,
    onStopSignal: () => undefined,
    abort: () => undefined,
    written,
  };
}

/** Runs a command line that needs no database. */
export async function runCommand(...args: string[]): Promise<Ran> {
  const io = makeIo();
  const code = await createProgram(io).run(args);
  return { code, ...io.written };
}

/** A terminal of a given width, for the `output` of `Io`. */
export function terminal(columns = 80): NonNullable<Io["output"]> {
  const output = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  return Object.assign(output, { isTTY: true, columns });
}

export interface ListedCommand {
  /** Its words after `fettle`. */
  path: string[];
  command: Command;
}

const nouns = createCommands(makeIo()).commands;

/** The commands that do something, without nouns. */
export const allCommands: ListedCommand[] = nouns.flatMap((command) =>
  command.commands.length === 0
    ? { path: [command.name()], command }
    : command.commands.map((verb) => ({ path: [command.name(), verb.name()], command: verb })),
);

/** Every command with its own help. */
export const allPaths: string[][] = [
  [],
  ...nouns.filter(({ commands }) => commands.length > 0).map((noun) => [noun.name()]),
  ...allCommands.map(({ path }) => path),
];

const introduction = `# Command line

\`fettle\` runs and manages the server. From a checkout, run \`npm run fettle -- <command>\`. Add \`--silent\` after
\`npm run\` to pipe the result. In a container, run \`docker compose exec server fettle <command>\`.`;

const update =
  "This page is generated from the help. Update it with `npx vitest run test/unit/command-line.test.ts -u`.";

/** The text of docs/cli.md. */
export async function commandsMarkdown(): Promise<string> {
  const { stdout: help } = await runCommand("--help");
  // As code: Markdown takes <command> for HTML.
  const notes = help
    .slice(help.indexOf("Commands read the same"))
    .trim()
    .replaceAll(/"(fettle [^"]+)"/g, "`$1`");
  const groups = [...new Set(nouns.map((noun) => noun.helpGroup()))];
  const sections = groups.map((group) => {
    const names = nouns.filter((noun) => noun.helpGroup() === group).map((noun) => noun.name());
    const commands = allCommands.filter(({ path: [noun = ""] }) => names.includes(noun));
    return `## ${group.replace(":", "")}\n\n\`\`\`text\n${commands.map(describe).join("\n\n")}\n\`\`\``;
  });
  return [introduction, notes, ...sections, update, ""].join("\n\n");
}

function describe({ path, command }: ListedCommand): string {
  const parts = [
    ...command.registeredArguments.map((argument) => `<${argument.name()}>`),
    ...command.options.map((option) => toPart(option)),
  ];
  return `${wrap(["fettle", ...path].join(" "), parts)}\n  ${command.description()}`;
}

function toPart({ flags, mandatory }: Command["options"][number]): string {
  return mandatory ? flags : `[${flags}]`;
}

function wrap(start: string, parts: readonly string[]): string {
  const lines = [start];
  for (const part of parts) {
    const longer = `${lines.at(-1) ?? ""} ${part}`;
    if (longer.length <= 80) lines[lines.length - 1] = longer;
    else lines.push(`    ${part}`);
  }
  return lines.join("\n");
}
