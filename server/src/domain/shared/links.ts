/** Link forms that email programs make clickable, as alternatives of one regular expression. */
const forms = [
  // Any scheme with two slashes, and known schemes without.
  String.raw`\b[a-z][a-z\d+.-]*:\/\/\S*`,
  String.raw`\b(?:mailto|tel|sms|smsto|mms|callto|facetime|facetime-audio|sips?|skype|xmpp|whatsapp|geo|maps|magnet|webcal|intent|file|javascript|vbscript|data|ms-[a-z-]+):\S+`,
  // Windows shares: \\host\folder
  String.raw`\\\\[^\s\\]\S*`,
  // IPv4 addresses with a port or a path. Others aren't clickable.
  String.raw`(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}[:/?#]\S+`,
  // Host names, with or without www., and email addresses. In every script, and of symbols.
  String.raw`(?<![\p{L}\p{M}\p{N}\p{So}-])(?:[^\s@<>]+@)?(?:[\p{L}\p{M}\p{N}\p{So}-]+\.)+\p{L}[\p{L}\p{M}]+(?:[:/?#]\S*)?`,
];
const links = new RegExp(forms.join("|"), "giu");

const instead = "[…]";

/**
 * Replaces everything clickable in user text for emails. The result is never longer, and everything
 * else stays unchanged.
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

/** Range in the original text of one code unit of the plain form. */
interface Origin {
  start: number;
  end: number;
}

/**
 * Normalizes wide letters and other compatibility forms. Ideographic full stops lead to hosts, too.
 */
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
  // At the end of a sentence, it is rarely followed by Latin letters.
  return { plain: plain.replace(/。(?=[a-z]{2})/gi, "."), origins };
}
