const longest = 120;

/** Text of a server as a person may see it: in quotes, cut, without control characters. */
export function quote(text: string): string {
  const plain = text.replace(/[\p{C}\s]+/gu, " ").trim();
  return `"${plain.length > longest ? `${plain.slice(0, longest)}…` : plain}"`;
}
