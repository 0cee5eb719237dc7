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

export function pick<Value extends object, Key extends keyof Value>(
  value: Value,
  ...keys: readonly Key[]
): Pick<Value, Key> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<Value, Key>;
}
