import { renderToString } from "preact-render-to-string";
import type { VNode } from "preact";
import { taskUrl } from "../domain/access/urls.js";
import type {
  AnsweredReport,
  DigestFigures,
  Letter,
  LetterTask,
  LetterTasks,
} from "../domain/notifications/letters.js";
import { outcomeWords } from "../domain/reports/outcome-words.js";
import { withoutLinks } from "../domain/values/links.js";
import { nameOf, type MailContent } from "./invitation-mail.js";

/** A paragraph, or a list under its heading. */
type Part = string | { heading: string; items: readonly Item[]; rest: string | undefined };

interface Item {
  text: string;
  href?: string;
  detail: string;
}

interface Draft {
  subject: string;
  parts: readonly Part[];
  why: string;
}

/** A mail about work as plain text and as simple HTML, with the headers by which mail programs end such mails (RFC 8058). */
export function composeLetter(letter: Letter, unsubscribe: string): MailContent {
  const { subject, parts, why } = draft(letter);
  const { baseUrl } = letter.reader;
  const settings = `${baseUrl}/settings/notifications`;
  const text = [
    ...parts.map(toText),
    `-- \n${why}\nChoose which mails you get: ${settings}\nNo more of these mails: ${unsubscribe}`,
  ];
  const html = renderToString(
    <html lang="en">
      <body>
        {parts.map(toHtml)}
        <hr />
        <p>
          {why} <a href={settings}>Choose which mails you get</a> or{" "}
          <a href={unsubscribe}>get no more of these mails</a>.
        </p>
      </body>
    </html>,
  );
  return {
    subject,
    text: `${text.join("\n\n")}\n`,
    html: `<!doctype html>${html}`,
    headers: {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}

function draft(letter: Letter): Draft {
  switch (letter.kind) {
    case "assigned":
      return draftAssigned(letter.assigned, letter);
    case "reminder":
      return draftReminder(letter);
    case "report_answered":
      return draftAnswers(letter.reports, letter);
    case "weekly_digest":
      return draftDigest(letter.figures, letter.overdue, letter);
  }
}

function draftAssigned(assigned: LetterTasks, { reader }: Letter): Draft {
  const [first] = assigned.tasks;
  const by = [...new Set(assigned.tasks.map((task) => task.assigned_by))];
  const who = by.length === 1 ? by[0] : undefined;
  const what =
    assigned.total === 1 && first !== undefined
      ? `${first.task_number} ${withoutLinks(first.title)}`
      : `${assigned.total} tasks`;
  return {
    subject: `Assigned to you: ${what}`,
    parts: [
      `${who === undefined || who === null ? "Somebody" : nameOf(who)} assigned ${assigned.total === 1 ? "a task" : `${assigned.total} tasks`} to you in ${nameOf(reader.organizationName)}.`,
      toList("Your new tasks", assigned, { reader }, ({ due_date, days_overdue }) =>
        describeDue(due_date, days_overdue),
      ),
    ],
    why: "You get this mail because others assign work to you.",
  };
}

function draftReminder(letter: Extract<Letter, { kind: "reminder" }>): Draft {
  const { dueTomorrow, overdue } = letter;
  const counts = [
    ...(dueTomorrow.total > 0 ? [`${countTasks(dueTomorrow.total)} due tomorrow`] : []),
    ...(overdue.total > 0 ? [`${countTasks(overdue.total)} overdue`] : []),
  ];
  return {
    subject: `Your work: ${counts.join(", ")}`,
    parts: [
      `This is your work in ${nameOf(letter.reader.organizationName)} that is due next.`,
      ...(overdue.total > 0
        ? [
            toList("Overdue", overdue, letter, ({ due_date, days_overdue }) =>
              describeDue(due_date, days_overdue),
            ),
          ]
        : []),
      ...(dueTomorrow.total > 0 ? [toList("Due tomorrow", dueTomorrow, letter, () => "")] : []),
    ],
    why: "You get this mail because you are responsible for these tasks: on the day before they are due, when they have become overdue, and on Mondays while they are.",
  };
}

function draftAnswers(reports: readonly AnsweredReport[], { reader }: Letter): Draft {
  const [first] = reports;
  const what = reports.length === 1 && first ? nameOf(first.asset) : `${reports.length} assets`;
  return {
    subject: `What became of the problem with ${what}`,
    parts: [
      `You reported a problem to ${nameOf(reader.organizationName)}.`,
      {
        heading: "Your reports",
        items: reports.map(({ asset, status, answer }) => ({
          text: withoutLinks(asset),
          href: `${reader.baseUrl}/reports`,
          detail: [outcomeWords[status], ...(answer === null ? [] : [withoutLinks(answer)])].join(
            " ",
          ),
        })),
        rest: undefined,
      },
    ],
    why: "You get this mail because you have reported a problem.",
  };
}

function draftDigest(figures: DigestFigures, overdue: LetterTasks, letter: Letter): Draft {
  const { reader } = letter;
  return {
    subject: `${nameOf(reader.organizationName)}: ${countTasks(figures.overdue)} overdue, ${figures.due_in_7_days} due this week`,
    parts: [
      `This is the week in ${nameOf(reader.organizationName)}, as far as you see it.`,
      {
        heading: "In short",
        items: [
          { text: "Overdue", detail: String(figures.overdue) },
          { text: "Due in the next 7 days", detail: String(figures.due_in_7_days) },
          { text: "Open and unassigned", detail: String(figures.unassigned) },
          { text: "Completed in the last 7 days", detail: String(figures.completed) },
        ],
        rest: undefined,
      },
      ...(overdue.total > 0
        ? [
            toList(
              "Overdue for longest",
              overdue,
              letter,
              ({ due_date, days_overdue, assigned_to }) =>
                `${describeDue(due_date, days_overdue)}, ${assigned_to === null ? "unassigned" : withoutLinks(assigned_to)}`,
            ),
          ]
        : []),
    ],
    why: "You get this mail on Mondays, by default as somebody who manages an organization or a workspace.",
  };
}

function toList(
  heading: string,
  { tasks, total }: LetterTasks,
  { reader }: Pick<Letter, "reader">,
  describe: (task: LetterTask) => string,
): Part {
  const rest = total - tasks.length;
  return {
    heading,
    items: tasks.map((task) => ({
      text: `${task.task_number} ${withoutLinks(task.title)}`,
      href: taskUrl(reader, task.id),
      detail: [task.asset_name, task.workspace_name]
        .flatMap((name) => (name === null ? [] : [withoutLinks(name)]))
        .concat(describe(task))
        .filter((one) => one !== "")
        .join(" · "),
    })),
    rest: rest > 0 ? `and ${rest} more: ${reader.baseUrl}/tasks` : undefined,
  };
}

const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

function describeDue(day: string | null, daysOverdue: number | null): string {
  if (day === null) return "no due day";
  const date = dayFormat.format(new Date(`${day}T00:00:00Z`));
  if (daysOverdue === null) return `due ${date}`;
  return `due ${date}, ${daysOverdue === 1 ? "1 day" : `${daysOverdue} days`} overdue`;
}

function countTasks(count: number): string {
  return count === 1 ? "1 task" : `${count} tasks`;
}

function toText(part: Part): string {
  if (typeof part === "string") return part;
  const { heading, items, rest } = part;
  const lines = items.map(({ text, href, detail }) =>
    [`- ${text}`, `  ${detail}`, ...(href === undefined ? [] : [`  ${href}`])].join("\n"),
  );
  return [`${heading}:`, ...lines, ...(rest === undefined ? [] : [rest])].join("\n");
}

function toHtml(part: Part, index: number): VNode {
  if (typeof part === "string") return <p key={index}>{part}</p>;
  const { heading, items, rest } = part;
  return (
    <section key={index}>
      <h2>{heading}</h2>
      <ul>
        {items.map(({ text, href, detail }) => (
          <li key={`${text} ${href ?? ""}`}>
            {href === undefined ? text : <a href={href}>{text}</a>}
            <br />
            {detail}
          </li>
        ))}
      </ul>
      {rest !== undefined && <p>{rest}</p>}
    </section>
  );
}
