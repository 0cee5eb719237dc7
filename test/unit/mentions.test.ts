import { expect, test } from "vitest";
import { findMentionWords, readMentions } from "../../server/src/domain/shared/mentions.js";

const people = [
  { id: "usr_1", name: "Pavel Dvorak" },
  { id: "usr_2", name: "Ana Keller" },
  { id: "usr_3", name: "Ana Keller Lind" },
  { id: "usr_4", name: "Bo d'Arc" },
  { id: "usr_5", name: "Kim Lee" },
  { id: "usr_6", name: "Kim Lee" },
  { id: "usr_7", name: "Juan Carlos de la Vega" },
];
const read = (text: string) => {
  const { text: written, mentioned } = readMentions(text, people);
  return [written, ...mentioned.map(({ id }) => id.slice(4))];
};

test.each([
  ["@Pavel, please look", "@Pavel Dvorak, please look", "1"],
  [
    "Part for (@dvorak)!\nThanks @pavel's van",
    "Part for (@Pavel Dvorak)!\nThanks @Pavel Dvorak's van",
    "1",
  ],
  ["@Ana Keller and @Ana Keller Lind.", "@Ana Keller and @Ana Keller Lind.", "2", "3"],
  ["@Lind @bo d’arc", "@Ana Keller Lind @Bo d'Arc", "3", "4"],
  ["@Juan  Carlos de la Vega now", "@Juan Carlos de la Vega now", "7"],
  ["@Pavel\nDvorak", "@Pavel Dvorak\nDvorak", "1"],
])("finds who %j mentions", (text, ...expected) => {
  expect(read(text)).toEqual(expected);
  expect(read(expected[0] ?? "")).toEqual(expected);
});

test.each([
  "@Ana is ambiguous",
  "@Kim Lee twice",
  "@Pav",
  "at 5 @ noon",
  "a@dvorak",
  "@",
  "@@pavel",
])("finds no one in %j", (text) => {
  expect(read(text)).toEqual([text]);
});

test("lists the first word of each mention once", () => {
  expect(findMentionWords("@Pavel: see @pavel's and (@Bo d'Arc), x@y.z")).toEqual(["pavel", "bo"]);
});
