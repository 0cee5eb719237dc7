import { withoutMarks } from "./text.js";

/**
 * Characters that resemble Latin letters, after the confusables of UTS 39. Covers letters of Greek,
 * Cyrillic, Coptic, Armenian, Cherokee, Lisu, Deseret, Old Italic and Carian. Also small capitals,
 * letters with strokes and hooks, currency signs, digits, and strokes that resemble an "l".
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: "ΑАᎪꓮαаɑᴀ4@⍺Ⱥⱥ",
  ae: "ÆæӔӕ",
  b: "ΒВᏴꓐЬьвʙ𐌁𐊂ƀɃƁɓ",
  c: "СϹᏟꓚсϲᴄⲤⲥ𐐕𐌂𐊢ƇƈȻȼꞒꞓᑕ𐔜",
  d: "ᎠĐꓓԁđᴅƊɗƋƌ∂",
  e: "ΕЕᎬꓰεеҽɛᴇ3℮ꬲ𐊆Ɇɇ",
  f: "Ϝꓝғ𐊇Ƒƒ₣ꞘꞙꝻꝼ",
  g: "ԌᏀꓖɡցɢƓɠǤǥꞠꞡ",
  h: "ΗНᎻꓧнһհħʜⲎⱧⱨɦꞪ",
  i: "ΙІӀᏆꓲιіӏıɩɪǀ|1Ⲓⲓ𐌉Ɩߊⵏᛁ\u0627\u0661\u06F1\u05D5\u05DF\u2223\u23FD\u2502ƗɨꞮ",
  j: "ЈᎫꓙјϳᴊɈɉ",
  k: "ΚКᏦꓗκкᴋⲔⲕƘƙⱩⱪꝀꝁ",
  l: "ᏞꓡŁłʟȽƚⱠⱡⱢɫɬⳐⳑ",
  m: "ΜМᎷꓟмᴍⲘ𐌑Ɱɱ",
  n: "ΝꓠηпոռɴŊŋⲚƝɲȠƞ",
  o: "ΟОՕꓳØοσоօøᴏ0Ⲟⲟ𐐄𐐬Ɵɵ",
  oe: "Œœ",
  p: "ΡРᏢꓑρрᴘⲢⲣ⍴𐊕ƤƥⱣᵽꝐꝑ",
  q: "ԚԛգɊɋ",
  r: "ᏒꓣгʀɌɍⱤɽɼꭇ",
  s: "ЅՏᏚꓢѕꜱ5$𐐠ƽⱾȿ",
  t: "ΤТᎢꓔŦτтŧᴛ7Ⲧ𐌕ƬƭƮʈȾⱦ",
  u: "ՍꓴυսμᴜʋЦцɄʉ",
  v: "ѴᏙꓦνѵᴠƲ",
  w: "ԜᎳꓪԝωшᴡⱲⱳ",
  x: "ΧХꓫχхⲬ𐌗",
  y: "ΥУҮꓬγуүʏⲨƳƴɎɏ",
  z: "ΖᏃꓜᴢȤȥƵƶⱫⱬ",
};

/** Code points of a white A on black, in a circle and in a square. */
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
 * Equal for texts that people may confuse. Compares letters by shape, without case, marks, spaces
 * and punctuation. For comparison only.
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
