/** What mail programs make clickable: the forms of links, as alternatives of one expression. */
const forms = [
  // Any scheme with two slashes, and those that need none.
  String.raw`\b[a-z][a-z\d+.-]*:\/\/\S*`,
  String.raw`\b(?:mailto|tel|sms|smsto|mms|callto|facetime|facetime-audio|sips?|skype|xmpp|whatsapp|geo|maps|magnet|webcal|intent|file|javascript|vbscript|data|ms-[a-z-]+):\S+`,
  // Shares of Windows: \\host\folder
  String.raw`\\\\[^\s\\]\S*`,
  // IPv4 addresses with a port or a path; without one they are no link.
  String.raw`(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}[:/?#]\S+`,
  // Host names, www. among them, and email addresses: in every script, and of symbols.
  String.raw`(?<![\p{L}\p{M}\p{N}\p{So}-])(?:[^\s@<>]+@)?(?:[\p{L}\p{M}\p{N}\p{So}-]+\.)+\p{L}[\p{L}\p{M}]+(?:[:/?#]\S*)?`,
];
const links = new RegExp(forms.join("|"), "giu");

const instead = "[…]";

/**
 * A text without anything that could lead somewhere, for words and names of people that we put into
 * mails. It is never longer than before, and everything else in it stays as it was.
 */
export function withoutLinks(text: string): string {
  const { plain, origins } = toPlain(text);
  const pieces: string[] = [];
  let kept = 0;
  for (const { 0: link, index } of plain.matchAll(links)) {
    const start = Math.max(kept, origins[index]?.start ?? 0);
    const end = origins[index + link.length - 1]?.end ?? text.length;
    pieces.push(text.slice(kept, start), end - start < instead.length ? "…" : instead);
    kept = end;
  }
  return pieces.join("") + text.slice(kept);
}

/** From where to where in the text a code unit of its plain form stands. */
interface Origin {
  start: number;
  end: number;
}

/** Wide letters and other compatible forms become plain ones; ideographic dots lead to hosts, too. */
function toPlain(text: string): { plain: string; origins: Origin[] } {
  const origins: Origin[] = [];
  let plain = "";
  let start = 0;
  for (const character of text) {
    const end = start + character.length;
    const form = character.normalize("NFKC");
    plain += form;
    for (let unit = 0; unit < form.length; unit += 1) origins.push({ start, end });
    start = end;
  }
  // As a full stop of a sentence it seldom has Latin letters right behind it.
  return { plain: plain.replace(/。(?=[a-z]{2})/gi, "."), origins };
}
