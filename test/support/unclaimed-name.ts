const runner = String.raw`\b(?:npx|bunx|npm (?:i|install|exec|add)|(?:pnpm|yarn) (?:add|dlx))\b`;
const bareName = String.raw`(?<![\w@/.-])fettle-bridge(?![\w/-]|\.\w)`;
const command = new RegExp(`${runner}[^;&|]*?${bareName}`);

/** The lines that have npm fetch the bridge by a name of the registry that belongs to nobody. */
export function runsUnclaimedName(text: string): string[] {
  return text.split("\n").filter((line) => command.test(line));
}
