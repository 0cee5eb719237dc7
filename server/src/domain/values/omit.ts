/** A copy of an object without some of its keys. */
export function omit<Value extends object, Key extends keyof Value & string>(
  value: Value,
  ...keys: Key[]
): Omit<Value, Key> {
  const kept: Partial<Value> = {};
  for (const key of Object.keys(value) as Key[]) {
    if (!keys.includes(key)) kept[key] = value[key];
  }
  return kept as Omit<Value, Key>;
}
