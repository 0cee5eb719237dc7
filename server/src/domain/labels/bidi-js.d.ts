/** Types for the parts of the untyped package that Fettle uses. */
declare module "bidi-js" {
  export interface EmbeddingLevels {
    /** One level per UTF-16 code unit. Odd levels run right to left. */
    levels: Uint8Array;
    paragraphs: { start: number; end: number; level: number }[];
  }

  export interface Bidi {
    getEmbeddingLevels(text: string, direction?: "ltr" | "rtl" | "auto"): EmbeddingLevels;
    getMirroredCharacter(character: string): string | null;
  }

  function bidiFactory(): Bidi;
  export { bidiFactory as default };
}
