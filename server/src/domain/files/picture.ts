export interface Picture {
  /** Upright, without camera metadata such as place, device and owner. */
  content: Buffer;
  width: number;
  height: number;
  /** As WebP. */
  thumbnail: Buffer;
}

export const maxMegapixels = 64;
