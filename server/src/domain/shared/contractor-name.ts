const suffix = " (contractor link)";

/** The author of work done through a link. Stored in histories, which are in English. */
export function toContractorName(contractor: string): string {
  return contractor + suffix;
}

/** Returns the contractor of such an author. Undefined for other names. */
export function contractorOf(name: string): string | undefined {
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

/** SQL for the author's name. `link` is the alias of a task_links row. */
export function contractorNameSql(link: string): string {
  return `${link}.contractor || '${suffix}'`;
}
