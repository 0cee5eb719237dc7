/** A moment as people at this computer write it. */
export function toLocalTime(moment: string | number): string {
  return new Date(moment).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
