import { toRecord } from "./message.js";

const kinds = ["tools", "prompts", "resources"];

/** The notifications that make a host ask again for every list that these capabilities speak of. */
export function toListsChanged(capabilities: unknown): string[] {
  const announced = toRecord(capabilities);
  return kinds.filter((kind) => announced[kind] !== undefined).map(toListChanged);
}

export function toListChanged(kind: string): string {
  return JSON.stringify({ jsonrpc: "2.0", method: `notifications/${kind}/list_changed` });
}
