/** Beyond Latin-1: what else the fonts have that every PDF reader brings along (WinAnsi). */
const winAnsiExtras = new Set("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ");

/** Letters and signs that no decomposition turns into printable ones. */
const nearest = new Map(
  Object.entries({
    ł: "l",
    Ł: "L",
    đ: "d",
    Đ: "D",
    ħ: "h",
    Ħ: "H",
    ı: "i",
    ŧ: "t",
    Ŧ: "T",
    ŋ: "n",
    Ŋ: "N",
    ə: "e",
    Ə: "E",
    ẞ: "SS",
    "‐": "-",
    "−": "-",
    "′": "'",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "⌀": "Ø",
  }),
);

/**
 * A text as the fonts of a label can show it: letters lose accents that the fonts do not have, and
 * emoji and signs are left out. Undefined where letters or digits would be lost, as in Arabic or
 * Chinese: a line that says something else is worse than none.
 */
export function toPrintable(text: string): string | undefined {
  let printable = "";
  for (const character of text.normalize("NFC")) {
    const drawn = toDrawn(character);
    if (drawn === undefined) return undefined;
    printable += drawn;
  }
  const line = printable.replace(/\s+/g, " ").trim();
  return line === "" ? undefined : line;
}

function toDrawn(character: string): string | undefined {
  if (isWinAnsi(character)) return character;
  const plain = Array.from(character.normalize("NFKD").replace(/\p{M}/gu, ""))
    .map((part) => nearest.get(part) ?? part)
    .join("");
  if (Array.from(plain).every(isWinAnsi)) return plain;
  return /[\p{L}\p{N}]/u.test(character) ? undefined : " ";
}

function isWinAnsi(character: string): boolean {
  return /^[\x20-\x7e\xa1-\xac\xae-\xff]$/.test(character) || winAnsiExtras.has(character);
}
