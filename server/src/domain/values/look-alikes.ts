import { withoutMarks } from "./text.js";

/**
 * What looks like a Latin letter and is none to Unicode, after the confusables of UTS 39: letters of
 * Greek, Cyrillic, Armenian, Cherokee and Lisu, small capitals, letters with strokes, and digits.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: "ΑАᎪꓮαаɑᴀ4@",
  ae: "ÆæӔӕ",
  b: "ΒВᏴꓐЬьвʙ",
  c: "СϹᏟꓚсϲᴄ",
  d: "ᎠĐꓓԁđᴅ",
  e: "ΕЕᎬꓰεеҽɛᴇ3",
  f: "Ϝꓝғ",
  g: "ԌᏀꓖɡցɢ",
  h: "ΗНᎻꓧнһհħʜ",
  i: "ΙІӀᏆꓲιіӏıɩɪǀ|1",
  j: "ЈᎫꓙјϳᴊ",
  k: "ΚКᏦꓗκкᴋ",
  l: "ᏞꓡŁłʟ",
  m: "ΜМᎷꓟмᴍ",
  n: "ΝꓠηпոռɴŊŋ",
  o: "ΟОՕꓳØοσоօøᴏ0",
  oe: "Œœ",
  p: "ΡРᏢꓑρрᴘ",
  q: "Ԛԛգ",
  r: "Ꮢꓣгʀ",
  s: "ЅՏᏚꓢѕꜱ5$",
  t: "ΤТᎢꓔŦτтŧᴛ7",
  u: "ՍꓴυսμᴜʋЦц",
  v: "ѴᏙꓦνѵᴠ",
  w: "ԜᎳꓪԝωшᴡ",
  x: "ΧХꓫχх",
  y: "ΥУҮꓬγуүʏ",
  z: "ΖᏃꓜᴢ",
};

const latinOf = new Map(
  Object.entries(lookAlikes).flatMap(([latin, others]) =>
    Array.from(others, (other) => [other, latin] as const),
  ),
);

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
