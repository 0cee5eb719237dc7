import { withoutMarks } from "./text.js";

/**
 * What looks like a Latin letter and is none to Unicode, after the confusables of UTS 39: letters of Greek,
 * Cyrillic, Coptic, Armenian, Cherokee, Lisu, Deseret, Old Italic and Carian, small capitals, letters with strokes,
 * digits, and strokes of any script that stand for an "l".
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: "ΑАᎪꓮαаɑᴀ4@⍺",
  ae: "ÆæӔӕ",
  b: "ΒВᏴꓐЬьвʙ𐌁𐊂",
  c: "СϹᏟꓚсϲᴄⲤⲥ𐐕𐌂𐊢",
  d: "ᎠĐꓓԁđᴅ",
  e: "ΕЕᎬꓰεеҽɛᴇ3℮ꬲ𐊆",
  f: "Ϝꓝғ𐊇",
  g: "ԌᏀꓖɡցɢ",
  h: "ΗНᎻꓧнһհħʜⲎ",
  i: "ΙІӀᏆꓲιіӏıɩɪǀ|1Ⲓⲓ𐌉Ɩߊⵏᛁ\u0627\u0661\u06F1\u05D5\u05DF\u2223\u23FD\u2502",
  j: "ЈᎫꓙјϳᴊ",
  k: "ΚКᏦꓗκкᴋⲔⲕ",
  l: "ᏞꓡŁłʟ",
  m: "ΜМᎷꓟмᴍⲘ𐌑",
  n: "ΝꓠηпոռɴŊŋⲚ",
  o: "ΟОՕꓳØοσоօøᴏ0Ⲟⲟ𐐄𐐬",
  oe: "Œœ",
  p: "ΡРᏢꓑρрᴘⲢⲣ⍴𐊕",
  q: "Ԛԛգ",
  r: "Ꮢꓣгʀ",
  s: "ЅՏᏚꓢѕꜱ5$𐐠ƽ",
  t: "ΤТᎢꓔŦτтŧᴛ7Ⲧ𐌕",
  u: "ՍꓴυսμᴜʋЦц",
  v: "ѴᏙꓦνѵᴠ",
  w: "ԜᎳꓪԝωшᴡ",
  x: "ΧХꓫχхⲬ𐌗",
  y: "ΥУҮꓬγуүʏⲨ",
  z: "ΖᏃꓜᴢ",
};

/** Where the letters from A to Z stand white on black, in circles and in squares. */
const inversed = [0x1f150, 0x1f170];

const latinOf = new Map([
  ...Object.entries(lookAlikes).flatMap(([latin, others]) =>
    Array.from(others, (other) => [other, latin] as const),
  ),
  ...inversed.flatMap((first) =>
    Array.from("abcdefghijklmnopqrstuvwxyz", (latin, place) => {
      return [String.fromCodePoint(first + place), latin] as const;
    }),
  ),
]);

/**
 * Equal for texts that a person may take for each other: letters by their looks, without case, marks,
 * spaces and punctuation. For comparing only.
 */
export function toSkeleton(text: string): string {
  return toLatin(withoutMarks(toLatin(text.replace(/[™℠]/g, ""))))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replaceAll("l", "i")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}

function toLatin(text: string): string {
  return Array.from(text, (character) => latinOf.get(character) ?? character).join("");
}
