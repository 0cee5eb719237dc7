/**
 * Words that Fettle's texts do without, and what to write. ESLint checks comments,
 * test/unit/words.test.ts checks other comments, pages, emails, tools, the command line and docs.
 */
export const bannedWords = [
  [/(?<!e-|> )\bmails?\b(?! servers?\b)/i, "email"],
  [/\b(some|no|every)body\b/i, "someone, no one, everyone"],
  [/\bwho runs the server\b/i, "the server's administrator"],
  [/\bti(ck|cks|cked|cking)\b/i, "select, selected"],
  [/\blook(s|ed|ing)? at\b/i, "view, check"],
  [/\b(stands|stood)\b/i, "is, appears"],
  [/\b(go|goes|went|going) by\b/i, "follow"],
  [/\bcom(e|es|ing) to\b/i, "total"],
  [/\btold of\b/i, "notified about"],
  [/\bthat of (the|a|an|its|their|one)\b/i, "repeat the noun"],
  [/\bno more\b(?! than| \w+s\b)/i, "no longer"],
  [/\b(any ?more|any longer)\b/i, "no longer"],
  [/\bof (one's|his|her|their) own\b|\ban? [a-z]+ of its own\b/i, "its own …"],
  [/\bby itself\b/i, "automatically"],
  [/\bso already\b/i, "already"],
  [/\bso long as\b/i, "while"],
  [/\bagain and again\b/i, "repeatedly"],
  [/\bresponsibles?\b(?! for)/i, "assignee"],
  [/\banew\b/i, "again"],
  [/\bbarred\b/i, "deactivated, blocked"],
  [/\bconnected again\b/i, "reconnected"],
  [/\bwhom?(so)?ever\b/i, "name the person"],
  [/\balike\b/i, "repeat the noun"],
  [/\bno such\b/i, "can't find"],
  [/\b(is|are) to be\b/i, "must be, or an imperative"],
  [/\bshall\b/i, "must, will"],
  [/\bgiven out\b/i, "issued"],
  [/\bin (your|his|her|their|its) sight\b/i, "visible to"],
  [/\b(goes|go|going) on with\b/i, "continue"],
];

/** A statement that begins with "What …" or "Who …". Questions may. */
export const clauseAsNoun = /(?:^|[.;:] +)(?:What|Who|Whose|Whom)\b[^.?;]*(?:[.;]|$)/;

/** The faults of a text: each with the words found and what to write. */
export function findFaults(text) {
  const prose = text.replaceAll(/`[^`]*`|https?:\S+|"[^"]*"|“[^”]*”/g, "…");
  const faults = bannedWords
    .map(([pattern, instead]) => [pattern.exec(prose)?.[0], instead])
    .filter(([found]) => found !== undefined);
  const clause = clauseAsNoun.exec(prose)?.[0];
  if (clause !== undefined) faults.push([clause, "the thing itself, subject first"]);
  return faults.map(([found, instead]) => `"${found.trim()}": write ${instead}`);
}
