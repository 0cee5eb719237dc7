import { toNfc } from "../shared/text.js";
import { hasGlyphs } from "./embedded-fonts.js";

/** WinAnsi characters beyond Latin-1. Fonts that every PDF reader includes have them. */
const winAnsiExtras = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";
const winAnsi = new RegExp(`^[\\x20-\\x7e\\xa1-\\xac\\xae-\\xff${winAnsiExtras}]*$`);

/** Joiners change letter shapes only between letters of Arabic and related scripts. */
const strayJoiner = /(?<![\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}])/gu;
const variationSelector = /[\ufe00-\ufe0f]/g;

/**
 * Reduces a text to printable characters. Drops accents that the fonts lack, emoji and other
 * symbols. Returns undefined if letters or digits would be lost, as in Chinese: a wrong line is
 * worse than none.
 */
export function toPrintable(text: string): string | undefined {
  let printable = "";
  for (const character of toNfc(text).replace(variationSelector, "")) {
    const drawn = toDrawn(character);
    if (drawn === undefined) return undefined;
    printable += drawn;
  }
  const line = printable.replace(strayJoiner, "").replace(/\s+/g, " ").trim();
  return line === "" ? undefined : line;
}

/** True if fonts that need no embedding cover the text. */
export function isWinAnsi(text: string): boolean {
  return winAnsi.test(text);
}

function toDrawn(character: string): string | undefined {
  if (isDrawable(character)) return character;
  const plainer = [
    character.normalize("NFKC"),
    character.normalize("NFKD").replace(/\p{M}/gu, ""),
  ].find((text) => Array.from(text).every(isDrawable));
  if (plainer !== undefined) return plainer;
  return /[\p{L}\p{N}]/u.test(character) ? undefined : " ";
}

/** Excludes emoji: the font has some, but they would print in black. */
function isDrawable(character: string): boolean {
  return (
    isWinAnsi(character) || (!/[\s\p{Emoji_Presentation}]/u.test(character) && hasGlyphs(character))
  );
}
