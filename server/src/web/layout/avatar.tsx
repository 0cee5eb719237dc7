import type { VNode } from "preact";
import { PersonName, toPersonName } from "../text/person-name.js";

const tones = 8;

/** The person's initials on a color that follows from the name. Decorative next to the name. */
export function Avatar({ name }: { name: string }): VNode {
  // Style sheets show the initials, so they are no text of the page.
  if (toPersonName(name) !== name) return <span class="avatar" aria-hidden="true" />;
  return (
    <span
      class="avatar"
      data-tone={toTone(name)}
      data-initials={toInitials(name)}
      aria-hidden="true"
    />
  );
}

export function Person({ name }: { name: string }): VNode {
  return (
    <span class="person">
      <Avatar name={name} />
      <PersonName name={name} />
    </span>
  );
}

/** The first letters of the first and last word. */
export function toInitials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "");
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word = "") => Array.from(word)[0] ?? "")
    .join("")
    .toUpperCase();
}

function toTone(name: string): number {
  return (
    Array.from(name).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7) %
    tones
  );
}
