export const importAddress = "/import";

export function changeSetAddress(id: string): string {
  return `/changes/${id}`;
}
