/** A copy of an object without some of its keys. */
export function omit<Value extends object, Key extends keyof Value & string>(
  value: Value,
  ...keys: Key[]
): Omit<Value, Key> {
  const kept = Object.entries(value).filter(([key]) => !(keys as string[]).includes(key));
  return Object.fromEntries(kept) as Omit<Value, Key>;
}
