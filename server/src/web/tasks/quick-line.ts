import type { TaskPriority } from "../../db/entities/tasks.js";
import { addDays, weekdayOf } from "../../domain/shared/dates.js";
import { foldWord } from "../../domain/shared/mentions.js";
import { inLocale, languages, toLocale } from "../../language/locale.js";
import type { Option } from "../forms/controls.js";
import { describeDays } from "../text/format.js";
import { choicesOf, priorityLabels } from "../text/value-labels.js";
import { weekdayName, weekdays } from "../text/working-time.js";
import type { TaskValues } from "./task-form-fields.js";

const priorities = choicesOf(priorityLabels);
const prepositions = new Set(["on", "by", "am", "bis", "le", "el", "para"]);

interface Context {
  today: string;
  people: readonly Option[];
}

/**
 * Reads a line such as "Fix lift B door tomorrow @Pavel !high #434-000012" as the values of a new
 * task. Understands days and priorities in every language. All other words are the title.
 */
export function readQuickLine(line: string, context: Context): TaskValues {
  const words = line.trim().split(/\s+/);
  const title: string[] = [];
  const values: Record<string, string> = {};
  while (words.length > 0) {
    const [field, value, count] = readStart(words, context);
    words.splice(0, count);
    if (field === "title" || values[field] !== undefined) title.push(value);
    else values[field] = value;
    if (field === "due_date" && prepositions.has(foldWord(title.at(-1) ?? ""))) title.pop();
  }
  return { ...values, title: title.join(" ") };
}

/** Returns a field, its value and the number of words that it takes. */
function readStart(words: string[], { today, people }: Context): [string, string, number] {
  const [word = ""] = words;
  const rest = word.slice(1);
  if (word.startsWith("!")) {
    const priority = findPriority(rest);
    if (priority !== undefined) return ["priority", priority, 1];
  }
  if (word.startsWith("@")) {
    const person = findPerson(words, people);
    if (person !== undefined) return ["assigned_to_user_id", ...person];
  }
  if (word.startsWith("#") && rest !== "") return ["asset_id", rest, 1];
  const day = findDay(word, today);
  return day === undefined ? ["title", word, 1] : ["due_date", day, 1];
}

/** True if `toName` gives the word in any language. */
function isCalled(word: string, toName: () => string): boolean {
  return languages.some(
    (language) => foldWord(inLocale(toLocale(language), toName)) === foldWord(word),
  );
}

function findPriority(word: string): TaskPriority | undefined {
  return priorities.find(
    (priority) => priority === foldWord(word) || isCalled(word, () => priorityLabels[priority]),
  );
}

/** The only person whose name, or a word of it, starts with up to three words after the "@". */
function findPerson(
  words: readonly string[],
  people: readonly Option[],
): [id: string, words: number] | undefined {
  for (let count = Math.min(3, words.length); count > 0; count -= 1) {
    const name = foldWord(words.slice(0, count).join(" ").slice(1));
    const found = people.filter(
      ({ label }) => name !== "" && ` ${foldWord(label)}`.includes(` ${name}`),
    );
    if (found.length === 1) return [found[0]?.value ?? "", count];
  }
  return undefined;
}

/** "2026-12-01", "tomorrow", or the next day with this name. */
function findDay(word: string, today: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(word)) return word;
  const name = word.replace(/[,.]$/, "");
  const inDays = [0, 1].find((days) => isCalled(name, () => describeDays(days)));
  if (inDays !== undefined) return addDays(today, inDays);
  const weekday = weekdays.find((day) => isCalled(name, () => weekdayName(day)));
  if (weekday === undefined) return undefined;
  return addDays(today, (weekday - weekdayOf(today) + 7) % 7 || 7);
}
