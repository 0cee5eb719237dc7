import { describe, expect, test } from "vitest";
import { formatTable, type Column } from "../../server/src/commands/results.js";
import { allCommands, allPaths, commandsMarkdown, runCommand } from "../support/command-line.js";

const named = (path: readonly string[]) => ["fettle", ...path].join(" ");

describe("help", () => {
  test.each(allPaths.map((path) => [named(path), path] as const))(
    "%s --help fits 80 columns and names the exit codes",
    async (_name, path) => {
      const { code, stdout, stderr } = await runCommand(...path, "--help");

      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
      expect(stdout).toContain("Exit codes: 0 done, 1 failed or found a problem, 2 wrong usage.");
    },
  );

  test("lists every command in a group", async () => {
    const { stdout } = await runCommand("--help");

    const headings = stdout.split("\n").filter((line) => /^\S.*:$/.test(line));
    expect(headings).toEqual([
      "Options:",
      "Run the server:",
      "Manage people:",
      "Manage organizations:",
      "Back up and move data:",
      "Try it out:",
    ]);
    for (const [noun = ""] of allCommands.map(({ path }) => path)) {
      expect(stdout).toContain(`\n  ${noun} `);
    }
  });

  test.each(allCommands.map(({ path, command }) => [named(path), path, command] as const))(
    "%s has an imperative description and an example",
    async (name, path, command) => {
      const { stdout } = await runCommand(...path, "--help");

      expect(command.description()).toMatch(/^[A-Z][a-z]+ .*\.$/);
      const takesSomething =
        command.registeredArguments.length > 0 ||
        command.options.some(({ long }) => long !== "--json");
      const example = stdout.split("Examples:\n")[1]?.split("\n\n")[0] ?? "";
      if (takesSomething) expect(example).toContain(name);
      // An example that lacks one would be refused.
      for (const { long, mandatory } of command.options) {
        if (mandatory) expect(example).toContain(` ${long ?? ""}`);
      }
    },
  );

  test("lists mandatory options as required", async () => {
    const { stdout } = await runCommand("member", "set-role", "--help");

    const [required = "", optional = ""] = stdout.split("\nOptions:\n");
    expect(required).toMatch(/\nRequired:\n.* {2}--organization .* --email .* --role /s);
    expect(optional).toContain("--json");
  });

  test("every command that prints facts takes --json", () => {
    const without = allCommands.filter(
      ({ command }) => !command.options.some(({ long }) => long === "--json"),
    );

    // The server's ready line is JSON already.
    expect(without.map(({ path }) => named(path))).toEqual(["fettle serve", "fettle demo run"]);
  });

  test("docs/cli.md describes every command in at most 6 kB", async () => {
    const page = await commandsMarkdown();

    await expect(page).toMatchFileSnapshot("../../docs/cli.md");
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(6 * 1024);
  });
});

describe("wrong usage", () => {
  test.each([
    [["acount", "list"], "Unknown command 'acount'. Did you mean account? See: fettle --help"],
    [["conection"], "Unknown command 'conection'. Did you mean connection? See: fettle --help"],
    [["account", "lst"], "Unknown command 'lst'. Did you mean list? See: fettle account --help"],
    [
      ["mail", "retry", "--di", "1"],
      "Unknown option '--di'. Did you mean --id? See: fettle email retry --help",
    ],
    [
      ["email", "retry", "--id", "x"],
      "Option '--id <email>' argument 'x' is invalid. Use the number that fettle email list prints. See: fettle email retry --help",
    ],
    [
      ["account", "deactivate"],
      "Required option '--email <email>' not specified. See: fettle account deactivate --help",
    ],
    [
      ["organization", "export"],
      "Missing required argument 'organization'. See: fettle organization export --help",
    ],
    [
      ["connection", "revoke"],
      "Specify at least one of --id, --email, --organization. See: fettle connection revoke --help",
    ],
    [["move"], "Set MOVE_DATABASE_URL, or add --to <url>. See: fettle move --help"],
  ])("prints one line with the next step for %j", async (args, line) => {
    expect(await runCommand(...args)).toEqual({ code: 2, stdout: "", stderr: `${line}\n` });
  });

  test.each([[[]], [["account"]]])("prints the help to stderr for %j", async (args) => {
    const { code, stdout, stderr } = await runCommand(...args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage: fettle");
  });
});

describe("former command names", () => {
  test.each([
    ["connections", "connection"],
    ["mail", "email"],
    ["members", "member"],
    ["sessions", "session"],
  ])("%s still works and is hidden", async (former, name) => {
    const present = await runCommand(name, "--help");

    expect(present.stdout).toContain(`Usage: fettle ${name} `);
    expect(await runCommand(former, "--help")).toEqual(present);
    expect(await runCommand("help", former)).toEqual(present);
    expect((await runCommand("--help")).stdout).not.toMatch(new RegExp(`^ +${former}\\b`, "m"));
  });
});

describe("tables", () => {
  interface Row {
    id: string;
    name: string | null;
    note: string;
  }
  const columns: Column<Row>[] = [
    { title: "ID", value: ({ id }) => id, isWhole: true },
    { title: "NAME", value: ({ name }) => name },
    { title: "NOTE", value: ({ note }) => note },
  ];

  test("align their columns and show a dash for missing values", () => {
    const rows = [
      { id: "org_1", name: "Northgate", note: "a" },
      { id: "org_22", name: null, note: "b" },
    ];

    expect(formatTable(rows, columns, 80)).toEqual([
      "ID      NAME       NOTE",
      "org_1   Northgate  a",
      "org_22  -          b",
    ]);
  });

  test("shorten long text to the width, but not ids", () => {
    const id = "con_".padEnd(16, "x");
    const lines = formatTable([{ id, name: "n".repeat(60), note: "t".repeat(90) }], columns, 60);

    expect(lines[1]).toBe(`${id}  ${"n".repeat(19)}…  ${"t".repeat(19)}…`);
  });

  test("print no control or direction characters", () => {
    const rows = [{ id: "1", name: "a\u001b[2J\nb", note: "x\u202ey" }];

    expect(formatTable(rows, columns, 80)[1]).toBe("1   a [2J b  xy");
  });
});
