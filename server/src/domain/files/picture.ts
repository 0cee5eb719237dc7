export interface Picture {
  /** Upright, and without what the camera wrote beside the pixels: place, device, owner. */
  content: Buffer;
  width: number;
  height: number;
  /** As WebP. */
  thumbnail: Buffer;
}

export const maxMegapixels = 64;
