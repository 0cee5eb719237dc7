import { createRequire } from "node:module";
import { openSync, type Font, type GlyphRun } from "fontkit";
import { toVisualRuns, type Direction, type Run } from "./visual-order.js";

const require = createRequire(import.meta.url);
const files = {
  regular: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  bold: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
};

export type Weight = keyof typeof files;

/** A fontkit font as pdfkit uses it. pdfkit requests the glyphs of a row from left to right. */
export interface EmbeddedFont extends Omit<Font, "layout"> {
  layout: (row: string, features: readonly DirectionFeature[]) => Glyphs;
  /** Width at size 1. Equals pdfkit's result without decomposing glyphs. */
  widthOf: (row: string, direction: Direction) => number;
}

/** The OpenType feature name of a direction. pdfkit passes it through. */
export type DirectionFeature = "ltra" | "rtla";

type Glyphs = Pick<GlyphRun, "glyphs" | "positions" | "advanceWidth">;

const fonts = new Map<Weight, Font>();
const embeddable = new Map<Weight, EmbeddedFont>();
const maxShaped = 2000;
/** Tifinagh letters need no shaping, and fontkit's shaping rules fail at some marks. */
const tifinagh = /\p{Script=Tifinagh}/u;

/** Falls back to the regular font where DejaVu Sans has no bold letters for a script. */
export function embeddedFontFor(text: string, weight: Weight): EmbeddedFont {
  const used = weight === "bold" && hasGlyphs(text, "bold") ? "bold" : "regular";
  const font = embeddable.get(used) ?? toEmbeddable(openFont(used), readFont(used));
  embeddable.set(used, font);
  return font;
}

export function hasGlyphs(text: string, weight: Weight = "regular"): boolean {
  const font = openFont(weight);
  return Array.from(text).every((character) =>
    font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
  );
}

function openFont(weight: Weight): Font {
  const font = fonts.get(weight) ?? readFont(weight);
  fonts.set(weight, font);
  return font;
}

function readFont(weight: Weight): Font {
  return openSync(files[weight]) as Font;
}

/**
 * Wraps a font so that rows are laid out in visual order. Caches shaped words, because names share
 * words. Subsets for embedding come from a second copy: fontkit forgets the characters of
 * decomposed accented letters, and later sheets would lose them.
 */
function toEmbeddable(font: Font, copy: Font): EmbeddedFont {
  const shaped = new Map<string, Glyphs>();
  const shape = ({ text, direction }: Run) => {
    const key = `${direction} ${text}`;
    const known = shaped.get(key);
    if (known !== undefined) return known;
    if (shaped.size >= maxShaped) shaped.clear();
    const script = tifinagh.test(text) ? "DFLT" : undefined;
    const { glyphs, positions, advanceWidth } = font.layout(text, [], script, undefined, direction);
    const word = { glyphs, positions, advanceWidth };
    shaped.set(key, word);
    return word;
  };
  const layout: EmbeddedFont["layout"] = (row, [feature]) => {
    const words = toVisualRuns(row, feature === "rtla" ? "rtl" : "ltr").map(shape);
    // Copies, because pdfkit scales positions in place and then reads the width.
    const positions = words.flatMap((word) => word.positions.map((position) => ({ ...position })));
    return {
      glyphs: words.flatMap((word) => word.glyphs),
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    };
  };
  const widthOf: EmbeddedFont["widthOf"] = (row, direction) =>
    toVisualRuns(row, direction).reduce((sum, run) => sum + shape(run).advanceWidth, 0) /
    font.unitsPerEm;
  const createSubset = () => copy.createSubset();
  return Object.create(font, {
    layout: { value: layout },
    widthOf: { value: widthOf },
    createSubset: { value: createSubset },
  }) as EmbeddedFont;
}
