const runner = String.raw`\b(?:npx|bunx|npm (?:i|install|exec|add)|(?:pnpm|yarn) (?:add|dlx))\b`;
const bareName = String.raw`(?<![\w@/.-])fettle-bridge(?![\w/-]|\.\w)`;
const command = new RegExp(`${runner}[^;&|]*?${bareName}`);

/** Returns lines in which npm would install the bridge by an unregistered package name. */
export function runsUnclaimedName(text: string): string[] {
  return text.split("\n").filter((line) => command.test(line));
}
