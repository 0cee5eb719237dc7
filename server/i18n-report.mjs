// Prints how many texts each language has, and the missing ones, which appear in English.
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("src/language/texts/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

const keys = Object.keys(read("en.json"));
for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
  const texts = read(name);
  const missing = keys.filter((key) => !texts[key]);
  const translated = keys.length - missing.length;
  console.log(`${name}: ${translated} of ${keys.length} texts, ${missing.length} missing`);
  for (const key of missing) console.log(`  ${key}`);
}
