/** What is used of a package that comes without types. */
declare module "bidi-js" {
  export interface EmbeddingLevels {
    /** One of each UTF-16 code unit; odd where it runs from right to left. */
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
