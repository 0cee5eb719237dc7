import { toPlainText } from "../common/text.js";
import type { Io } from "../context/io.js";
import type { Finding } from "./finding.js";

/** Findings as they come, for a person; on a terminal with colour, whole words, and what is under way. */
export interface Report {
  /** Something begins that may take a while. */
  begin: (what: string) => void;
  add: (finding: Finding) => void;
  end: () => void;
}

const labels = { ok: "ok      ", warning: "warning ", problem: "PROBLEM " };
const colours = { ok: 32, warning: 33, problem: 31 };
const indent = " ".repeat(10);
const clearLine = "\r\u001b[K";

export function createReport({ writeOut, terminal }: Pick<Io, "writeOut" | "terminal">): Report {
  const clear = terminal === undefined ? "" : clearLine;
  const columns = terminal?.columns ?? Infinity;
  const paint = (text: string, colour: number) =>
    terminal?.hasColours ? `\u001b[${colour}m${text}\u001b[39m` : text;
  return {
    begin: (what) => {
      if (terminal !== undefined) writeOut(`${clear}Looking at ${what} …`);
    },
    end: () => {
      if (terminal !== undefined) writeOut(clear);
    },
    add: ({ check, result, detail, advice }) => {
      const label = paint(labels[result], colours[result]);
      const lines = wrap(`${check}: ${detail}`, columns - labels[result].length - 1);
      const more = advice === undefined ? [] : wrap(advice, columns - indent.length);
      const text = [lines.join(`\n${indent}`), ...more].join(`\n${indent}`);
      writeOut(`${clear}${label} ${text}\n`);
    },
  };
}

/** Breaks at spaces; a word that is longer, as a path can be, stays whole. Nothing in it is a command. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of toPlainText(text).split(" ")) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && longer.length > columns) lines.push(word);
    else lines.splice(-1, 1, longer);
  }
  return lines;
}
