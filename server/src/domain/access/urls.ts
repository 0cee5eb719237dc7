import type { Caller } from "./caller.js";

export function assetUrl(caller: Pick<Caller, "baseUrl">, id: string): string {
  return `${caller.baseUrl}/assets/${id}`;
}
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
export function importUrl(caller: Pick<Caller, "baseUrl">, id: string): string {
  return `${caller.baseUrl}/import/${id}`;
}

export function fileUrl({ baseUrl }: Pick<Caller, "baseUrl">, id: string): string {
  return `${baseUrl}/files/${id}`;
}
