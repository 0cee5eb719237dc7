import type { VNode } from "preact";
import { createQrCode, quietZone, toPath } from "../../domain/labels/qr-codes.js";

/** Inline, because the code is a secret and must not have an address. */
export function QrImage({ text, label }: { text: string; label: string }): VNode {
  const code = createQrCode(text);
  const side = code.size + 2 * quietZone;
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      width="200"
      height="200"
      shape-rendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={toPath(code)} fill="#000" />
    </svg>
  );
}
