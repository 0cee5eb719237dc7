import type { VNode } from "preact";
import { toThumbnailAddress } from "../files/gallery.js";
import { kindShapes, toKind } from "./asset-kinds.js";

interface AssetPictureProps {
  asset: { name: string; category: string | null };
  /** The id of the asset's newest photo. */
  cover: string | undefined;
}

/** The asset's photo, or a drawing of its kind. Decorative next to its name. */
export function AssetPicture({ asset, cover }: AssetPictureProps): VNode {
  if (cover === undefined) {
    return (
      <span class="picture">
        <KindIcon asset={asset} />
      </span>
    );
  }
  const src = toThumbnailAddress(cover);
  return <img class="picture" src={src} alt="" loading="lazy" width="40" height="40" />;
}

export function KindIcon({ asset }: Pick<AssetPictureProps, "asset">): VNode {
  return (
    <svg class="kind" viewBox="0 0 24 24" aria-hidden="true">
      {kindShapes[toKind(asset.category, asset.name)]}
    </svg>
  );
}
