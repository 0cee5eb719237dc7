import type { Caller } from "./caller.js";

export function assetUrl(caller: Pick<Caller, "baseUrl">, id: string): string {
  return `${caller.baseUrl}/assets/${id}`;
}
/** Where a person is asked what an app may do. */
export const confirmPath = "/confirm";
export function toConfirmAddress(baseUrl: string, id: string): string {
  return `${baseUrl}${confirmPath}/${id}`;
}
export function taskUrl(caller: Pick<Caller, "baseUrl">, id: string): string {
  return `${caller.baseUrl}/tasks/${id}`;
}
export function workspaceUrl(caller: Pick<Caller, "baseUrl">, id: string): string {
  return `${caller.baseUrl}/workspaces/${id}`;
}
/** Where the plan of an import is looked at and approved. */
export function importUrl(caller: Pick<Caller, "baseUrl">, id: string): string {
  return `${caller.baseUrl}/import/${id}`;
}

/** The address of a photo or file. */
export function fileUrl({ baseUrl }: Pick<Caller, "baseUrl">, id: string): string {
  return `${baseUrl}/files/${id}`;
}
