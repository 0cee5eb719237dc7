import { renderToString } from "preact-render-to-string";
import type { VNode } from "preact";
import { taskUrl } from "../domain/access/urls.js";
import type {
  AnsweredReport,
  DigestFigures,
  Letter,
  LetterTask,
  LetterTasks,
} from "../domain/messaging/notification-letters.js";
import { outcomeWords } from "../domain/reports/outcome-words.js";
import { withoutLinks } from "../domain/shared/links.js";
import { dateFormat, numberFormat } from "../language/formats.js";
import { currentLocale, languageOf } from "../language/locale.js";
import { t, tRich } from "../language/translate.js";
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
    [
      `-- \n${why}`,
      t("Email preferences: {link}", { link: settings }),
      t("Unsubscribe: {link}", { link: unsubscribe }),
    ].join("\n"),
  ];
  const html = renderToString(
    <html lang={languageOf(currentLocale())}>
      <body>
        {parts.map(toHtml)}
        <hr />
        <p>
          {why}{" "}
          {tRich("<choose>Email preferences</choose> or <end>unsubscribe</end>.", {
            choose: (words) => <a href={settings}>{words}</a>,
            end: (words) => <a href={unsubscribe}>{words}</a>,
          })}
        </p>
      </body>
    </html>,
  );
  return {
    subject,
    text: `${text.join("\n\n")}\n`,
    html: ["<!doctype html>", html].join(""),
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
      : countTasks(assigned.total);
  return {
    subject: t("Assigned to you: {what}", { what }),
    parts: [
      t("{who} assigned {count, plural, one {a task} other {# tasks}} to you in {organization}.", {
        who: who === undefined || who === null ? t("Someone") : nameOf(who),
        count: assigned.total,
        organization: nameOf(reader.organizationName),
      }),
      toList(t("Your new tasks"), assigned, { reader }, ({ due_date, days_overdue }) =>
        describeDue(due_date, days_overdue),
      ),
    ],
    why: t("You get this email because others assign work to you."),
  };
}

function draftReminder(letter: Extract<Letter, { kind: "reminder" }>): Draft {
  const { dueTomorrow, overdue } = letter;
  return {
    subject: nameReminder(dueTomorrow.total, overdue.total),
    parts: [
      t("Here's what's coming up for you in {organization}.", {
        organization: nameOf(letter.reader.organizationName),
      }),
      ...(overdue.total > 0
        ? [
            toList(t("Overdue"), overdue, letter, ({ due_date, days_overdue }) =>
              describeDue(due_date, days_overdue),
            ),
          ]
        : []),
      ...(dueTomorrow.total > 0 ? [toList(t("Due tomorrow"), dueTomorrow, letter, () => "")] : []),
    ],
    why: t(
      "You get this email because these tasks are assigned to you. It's sent the day before they're due, when they become overdue, and on Mondays while they stay overdue.",
    ),
  };
}

function nameReminder(tomorrow: number, overdue: number): string {
  if (overdue === 0) {
    return t("Your work: {tomorrow, plural, one {# task} other {# tasks}} due tomorrow", {
      tomorrow,
    });
  }
  if (tomorrow === 0) {
    return t("Your work: {overdue, plural, one {# task} other {# tasks}} overdue", { overdue });
  }
  return t(
    "Your work: {tomorrow, plural, one {# task} other {# tasks}} due tomorrow, {overdue, plural, one {# task} other {# tasks}} overdue",
    { tomorrow, overdue },
  );
}

function draftAnswers(reports: readonly AnsweredReport[], { reader }: Letter): Draft {
  const [first] = reports;
  return {
    subject:
      reports.length === 1 && first
        ? t("Update on your report: {asset}", { asset: nameOf(first.asset) })
        : t("Updates on your reports: {count, plural, one {# asset} other {# assets}}", {
            count: reports.length,
          }),
    parts: [
      t("You reported a problem to {organization}.", {
        organization: nameOf(reader.organizationName),
      }),
      {
        heading: t("Your reports"),
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
    why: t("You get this email because you reported a problem."),
  };
}

function draftDigest(figures: DigestFigures, overdue: LetterTasks, letter: Letter): Draft {
  const organization = nameOf(letter.reader.organizationName);
  const format = (figure: number) => numberFormat({}).format(figure);
  return {
    subject: t(
      "{organization}: {overdue, plural, one {# task} other {# tasks}} overdue, {due} due this week",
      { organization, overdue: figures.overdue, due: format(figures.due_in_7_days) },
    ),
    parts: [
      t("Here's the week in {organization}.", { organization }),
      {
        heading: t("Summary"),
        items: [
          { text: t("Overdue"), detail: format(figures.overdue) },
          { text: t("Due in the next 7 days"), detail: format(figures.due_in_7_days) },
          { text: t("Open and unassigned"), detail: format(figures.unassigned) },
          { text: t("Completed in the last 7 days"), detail: format(figures.completed) },
        ],
        rest: undefined,
      },
      ...(overdue.total > 0
        ? [
            toList(
              t("Most overdue"),
              overdue,
              letter,
              ({ due_date, days_overdue, assigned_to }) =>
                `${describeDue(due_date, days_overdue)}, ${assigned_to === null ? t("unassigned") : withoutLinks(assigned_to)}`,
            ),
          ]
        : []),
    ],
    why: t("You get this email on Mondays because you manage an organization or a workspace."),
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
    rest:
      rest > 0
        ? t("and {rest} more: {link}", {
            rest: numberFormat({}).format(rest),
            link: `${reader.baseUrl}/tasks`,
          })
        : undefined,
  };
}

function describeDue(day: string | null, daysOverdue: number | null): string {
  if (day === null) return t("no due date");
  const style = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
  const date = dateFormat(style).format(new Date(`${day}T00:00:00Z`));
  if (daysOverdue === null) return t("due {date}", { date });
  return t("due {date}, {days, plural, one {# day} other {# days}} overdue", {
    date,
    days: daysOverdue,
  });
}

function countTasks(count: number): string {
  return t("{count, plural, one {# task} other {# tasks}}", { count });
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
            {href === undefined ? (
              <span dir="auto">{text}</span>
            ) : (
              <a href={href} dir="auto">
                {text}
              </a>
            )}
            <br />
            <span dir="auto">{detail}</span>
          </li>
        ))}
      </ul>
      {rest !== undefined && <p>{rest}</p>}
    </section>
  );
}
