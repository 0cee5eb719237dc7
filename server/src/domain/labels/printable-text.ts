import { toNfc } from "../shared/text.js";
import { hasGlyphs } from "./embedded-fonts.js";

/** Beyond Latin-1: what else the fonts have that every PDF reader brings along (WinAnsi). */
const winAnsiExtras = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";
const winAnsi = new RegExp(`^[\\x20-\\x7e\\xa1-\\xac\\xae-\\xff${winAnsiExtras}]*$`);

/** Between letters of Arabic and its relatives joiners change their shapes, elsewhere nothing. */
const strayJoiner = /(?<![\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}])/gu;
const variationSelector = /[\ufe00-\ufe0f]/g;

/**
 * A text as the fonts of a label can show it: letters lose accents that the fonts do not have, and
 * emoji and other signs are left out. Undefined where letters or digits would be lost, as in Chinese: a line that says something else is
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

/** Whether the fonts that need not be embedded have all of it. */
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

/** The font has some emoji, but in black they would be a surprise. */
function isDrawable(character: string): boolean {
  return (
    isWinAnsi(character) || (!/[\s\p{Emoji_Presentation}]/u.test(character) && hasGlyphs(character))
  );
}
