import type { Caller } from "./caller.js";

export function assetUrl(caller: Pick<Caller, "baseUrl">, id: string): string {
  return `${caller.baseUrl}/assets/${id}`;
}
export function taskUrl(caller: Pick<Caller, "baseUrl">, id: string): string {
  return `${caller.baseUrl}/tasks/${id}`;
}
export function workspaceUrl(caller: Pick<Caller, "baseUrl">, id: string): string {
  return `${caller.baseUrl}/workspaces#${id}`;
}
