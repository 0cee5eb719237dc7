/** What mail programs make clickable: addresses with a scheme, www., host names, email addresses. */
const links =
  /\b[a-z][a-z\d+.-]*:\/\/\S*|\b(?:mailto|tel|javascript|data):\S+|(?:[^\s@<>]+@)?(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[:/?#]\S*)?/giu;
const urls = /\b[a-z][a-z\d+.-]*:\/\/\S*|\bwww\.\S*/giu;

/** Never longer than what it stands for. */
const instead = "[…]";

/** A text without anything that could lead somewhere, for words of people that we put into mails. */
export function withoutLinks(text: string): string {
  return text.replace(links, instead);
}

/** The same for names, which may well look like a host name: only what clearly is an address goes. */
export function withoutUrls(name: string): string {
  return name.replace(urls, instead);
}
