import { taskUrl } from "../domain/access/urls.js";
import type {
  AnsweredReport,
  DigestFigures,
  DoneTasks,
  Letter,
  LetterTask,
  LetterTasks,
} from "../domain/messaging/notification-letters.js";
import { commentAddress, type CommentOfSubject } from "../domain/comments/find-comments.js";
import { outcomeWords } from "../domain/reports/outcome-words.js";
import { withoutLinks } from "../domain/shared/links.js";
import { dateFormat, numberFormat } from "../language/formats.js";
import { t, tRich } from "../language/translate.js";
import {
  paragraph,
  say,
  toPlainName,
  type Block,
  type Detail,
  type Email,
  type Item,
  type Link,
  type MailContent,
} from "./email.js";
import { renderEmail } from "./layout.js";

type Draft = Omit<Email, "organization" | "subscription">;

/** An email about work, with the link that ends emails of its kind. */
export function composeLetter(letter: Letter, unsubscribe: string): MailContent {
  const { baseUrl, organizationName: organization } = letter.reader;
  return renderEmail({
    ...draft(letter),
    organization,
    subscription: { preferences: `${baseUrl}/settings/notifications`, unsubscribe },
  });
}

/** For messages of one line. */
export function subjectOf(letter: Letter): string {
  return draft(letter).subject;
}

function draft(letter: Letter): Draft {
  switch (letter.kind) {
    case "assigned":
      return draftAssigned(letter.assigned, letter);
    case "comment":
      return draftComments(letter.comments, letter);
    case "reminder":
      return draftReminder(letter);
    case "report_answered":
      return draftAnswers(letter.reports, letter);
    case "contractor_done":
      return draftDone(letter.done, letter);
    case "weekly_digest":
      return draftDigest(letter.figures, letter.overdue, letter);
  }
}

function draftAssigned(assigned: LetterTasks, letter: Letter): Draft {
  const { reader } = letter;
  const [first] = assigned.tasks;
  const by = [...new Set(assigned.tasks.map((task) => task.assigned_by))];
  const [who] = by;
  const single = assigned.total === 1 ? first : undefined;
  const what =
    single === undefined
      ? t("{count, plural, one {# task} other {# tasks}}", { count: assigned.total })
      : nameTask(single);
  return {
    subject: t("Assigned to you: {what}", { what }),
    preheader: single === undefined ? listTitles(assigned) : listWords(describeTask(single)),
    news: say((name) =>
      by.length > 1
        ? tRich(
            "{count, plural, one {# task was} other {# tasks were}} assigned to you in {organization}.",
            { count: assigned.total, organization: name(reader.organizationName) },
          )
        : tRich(
            "{who} assigned you {count, plural, one {a task} other {# tasks}} in {organization}.",
            {
              who: who === undefined || who === null ? t("Someone") : name(who),
              count: assigned.total,
              organization: name(reader.organizationName),
            },
          ),
    ),
    blocks: [
      toList(undefined, assigned, letter, describeDue),
      single === undefined
        ? yourTasks(letter)
        : { kind: "button", label: t("View task"), href: taskUrl(reader, single.id) },
    ],
    why: t("You get this email because someone assigned work to you."),
  };
}

function draftComments(comments: readonly CommentOfSubject[], { reader }: Letter): Draft {
  const [first] = comments;
  const single = comments.length === 1 ? first : undefined;
  const why = t("You get this email because a comment mentions you or is on your task.");
  const items = comments.map((comment): Item => ({
    title: withoutLinks(comment.subject),
    href: reader.baseUrl + commentAddress(comment),
    details: [{ words: withoutLinks(comment.author) }],
    quote: withoutLinks(comment.text),
  }));
  const count = comments.length;
  if (single === undefined) {
    return {
      subject: t("{count, plural, one {# new comment} other {# new comments}}", { count }),
      preheader: comments.map(({ subject }) => toPlainName(subject)).join(", "),
      news: say((name) =>
        tRich(
          "{count, plural, one {There is # new comment} other {There are # new comments}} for you in {organization}.",
          { count, organization: name(reader.organizationName) },
        ),
      ),
      blocks: [
        { kind: "list", items },
        {
          kind: "button",
          label: t("View notifications"),
          href: `${reader.baseUrl}/notifications`,
        },
      ],
      why,
    };
  }
  const { author, subject, text } = single;
  return {
    subject: t("{who} commented on {what}", {
      who: toPlainName(author),
      what: toPlainName(subject),
    }),
    preheader: withoutLinks(text),
    news: say((name) =>
      tRich("{who} commented on {what}.", { who: name(author), what: name(subject) }),
    ),
    blocks: [
      { kind: "quote", words: withoutLinks(text) },
      { kind: "button", label: t("View comment"), href: reader.baseUrl + commentAddress(single) },
    ],
    why,
  };
}

function draftReminder(letter: Extract<Letter, { kind: "reminder" }>): Draft {
  const { dueTomorrow, overdue, reader } = letter;
  const place = say((name) =>
    tRich("Your tasks in {organization}:", {
      organization: name(reader.organizationName),
    }),
  );
  return {
    ...nameReminder(dueTomorrow.total, overdue.total),
    preheader: listTitles({ tasks: [...overdue.tasks, ...dueTomorrow.tasks] }),
    blocks: [
      paragraph(place),
      ...(overdue.total > 0 ? [toList(t("Overdue||tasks"), overdue, letter, describeDue)] : []),
      ...(dueTomorrow.total > 0 ? [toList(t("Due tomorrow"), dueTomorrow, letter, () => [])] : []),
      yourTasks(letter),
    ],
    why: t(
      "You get this email because these tasks are assigned to you. We send it the day before tasks are due, when they become overdue, and every Monday until they're done.",
    ),
  };
}

function nameReminder(tomorrow: number, overdue: number): Pick<Draft, "subject" | "news"> {
  if (overdue === 0) {
    return {
      subject: t("{tomorrow, plural, one {# task} other {# tasks}} due tomorrow", {
        tomorrow,
      }),
      news: t("You have {tomorrow, plural, one {# task} other {# tasks}} due tomorrow.", {
        tomorrow,
      }),
    };
  }
  if (tomorrow === 0) {
    return {
      subject: t("{overdue, plural, one {# task} other {# tasks}} overdue", { overdue }),
      news: t("You have {overdue, plural, one {# overdue task} other {# overdue tasks}}.", {
        overdue,
      }),
    };
  }
  const both = { tomorrow, overdue };
  return {
    subject: t(
      "{overdue, plural, one {# task} other {# tasks}} overdue, {dueTomorrow} due tomorrow",
      { overdue, dueTomorrow: numberFormat({}).format(tomorrow) },
    ),
    news: t(
      "You have {overdue, plural, one {# overdue task} other {# overdue tasks}} and {tomorrow, plural, one {# task} other {# tasks}} due tomorrow.",
      both,
    ),
  };
}

function draftAnswers(reports: readonly AnsweredReport[], { reader }: Letter): Draft {
  const [first] = reports;
  const single = reports.length === 1 ? first : undefined;
  const href = `${reader.baseUrl}/reports`;
  const button: Block = { kind: "button", label: t("View your reports"), href };
  const why = t("You get this email because you reported a problem.");
  if (single !== undefined) {
    return { ...draftOutcome({ ...single, organization: reader.organizationName }, button), why };
  }
  const subject = t("Updates on {count, plural, one {your report} other {# of your reports}}", {
    count: reports.length,
  });
  return {
    subject,
    preheader: reports.map(({ asset }) => toPlainName(asset)).join(", "),
    news: say((name) =>
      tRich(
        "{organization} reviewed {count, plural, one {your report} other {# of your reports}}.",
        { organization: name(reader.organizationName), count: reports.length },
      ),
    ),
    blocks: [
      {
        kind: "list",
        items: reports.map(({ asset, status, answer }) => ({
          title: withoutLinks(asset),
          href,
          details: [{ words: outcomeWords[status] }],
          ...(answer !== null && { quote: withoutLinks(answer) }),
        })),
      },
      button,
    ],
    why,
  };
}

/** The outcome of one report, for people with and without an account. */
export function draftOutcome(
  { asset, organization, status, answer }: AnsweredReport & { organization: string },
  button: Block,
): Omit<Draft, "why"> {
  const isAnswered = status === "answered";
  return {
    subject: t("Update on your report: {asset}", { asset: toPlainName(asset) }),
    preheader: answer === null ? outcomeWords[status] : withoutLinks(answer),
    news: isAnswered
      ? say((name) =>
          tRich("{organization} answered your report.", { organization: name(organization) }),
        )
      : outcomeWords[status],
    blocks: [
      paragraph(
        say((name) =>
          isAnswered
            ? tRich("You reported a problem with {asset}.", { asset: name(asset) })
            : tRich("You reported a problem with {asset} to {organization}.", {
                asset: name(asset),
                organization: name(organization),
              }),
        ),
      ),
      ...(answer === null ? [] : [{ kind: "quote" as const, words: withoutLinks(answer) }]),
      button,
    ],
  };
}

function draftDone(done: DoneTasks, letter: Letter): Draft {
  const { reader } = letter;
  const { contractors, note, total: count } = done;
  const [first] = done.tasks;
  const single = count === 1 ? first : undefined;
  const why = t(
    "You get this email because the work is assigned to you, or you shared it with a contractor.",
  );
  const nameContractor = ({ id }: LetterTask) => contractors.get(id) ?? t("A contractor");
  if (single === undefined) {
    return {
      subject: t("Contractors marked {count} tasks as done", { count }),
      preheader: listTitles(done),
      news: t("Contractors marked {count} tasks as done. Approve the work or send it back.", {
        count,
      }),
      blocks: [
        toList(undefined, done, letter, (task) => [{ words: withoutLinks(nameContractor(task)) }]),
        {
          kind: "button",
          label: t("View notifications"),
          href: `${reader.baseUrl}/notifications`,
        },
      ],
      why,
    };
  }
  const [who, what] = [nameContractor(single), nameTask(single)];
  return {
    subject: t("{who} marked {what} as done", { who: toPlainName(who), what }),
    preheader: withoutLinks(note ?? ""),
    news: say((name) =>
      tRich("{who} marked {what} as done. Approve the work or send it back.", {
        ...{ who: name(who), what: name(`${single.task_number} ${single.title}`) },
      }),
    ),
    blocks: [
      ...(note ? [{ kind: "quote" as const, words: withoutLinks(note) }] : []),
      { kind: "button", label: t("View task"), href: taskUrl(reader, single.id) },
    ],
    why,
  };
}

function draftDigest(figures: DigestFigures, overdue: LetterTasks, letter: Letter): Draft {
  const { organizationName, baseUrl } = letter.reader;
  const format = (figure: number) => numberFormat({}).format(figure);
  const counts = { overdue: figures.overdue, due: figures.due_in_7_days };
  const shown = [
    { label: t("Overdue||tasks"), value: format(figures.overdue), isBad: figures.overdue > 0 },
    { label: t("Due in the next 7 days"), value: format(figures.due_in_7_days) },
    { label: t("Open and unassigned"), value: format(figures.unassigned) },
    { label: t("Completed in the last 7 days"), value: format(figures.completed) },
  ];
  return {
    subject: t(
      "Weekly summary for {organization}: {overdue, plural, =0 {no tasks} one {# task} other {# tasks}} overdue, {due} due in the next 7 days",
      {
        ...counts,
        due: format(counts.due),
        organization: toPlainName(organizationName),
      },
    ),
    preheader: shown
      .slice(2)
      .map(({ label, value }) => t("{label}: {value}", { label, value }))
      .join(" · "),
    news: t(
      "{overdue, plural, =0 {No tasks are} one {# task is} other {# tasks are}} overdue, and {due, plural, =0 {none are} one {# is} other {# are}} due in the next 7 days.",
      counts,
    ),
    blocks: [
      paragraph(
        say((name) =>
          tRich("Here's the week in {organization}.", { organization: name(organizationName) }),
        ),
      ),
      {
        kind: "figures",
        figures: shown,
      },
      ...(overdue.total > 0
        ? [
            toList(t("Most overdue"), overdue, letter, (task) => [
              ...describeDue(task),
              {
                words: task.assigned_to === null ? t("unassigned") : withoutLinks(task.assigned_to),
              },
            ]),
          ]
        : []),
      overdue.total > 0
        ? {
            kind: "button",
            label: t("View overdue tasks"),
            href: `${baseUrl}/tasks?state=overdue`,
          }
        : { kind: "button", label: t("Open Fettle"), href: `${baseUrl}/` },
    ],
    why: t("You get this email on Mondays because you manage an organization or a workspace."),
  };
}

function yourTasks({ reader }: Letter): Link & { kind: "button" } {
  const href = `${reader.baseUrl}/tasks?assignee=me`;
  return { kind: "button", label: t("View your tasks"), href };
}

function toList(
  heading: string | undefined,
  { tasks, total }: LetterTasks,
  { reader }: Letter,
  describe: (task: LetterTask) => Detail[],
): Block {
  const rest = total - tasks.length;
  return {
    kind: "list",
    ...(heading !== undefined && { heading }),
    items: tasks.map((task): Item => ({
      number: task.task_number,
      title: withoutLinks(task.title),
      href: taskUrl(reader, task.id),
      details: [...describePlace(task), ...describe(task)],
    })),
    ...(rest > 0 && {
      more: t("{count, plural, one {# more task} other {# more tasks}}", { count: rest }),
    }),
  };
}

function nameTask({ task_number, title }: LetterTask): string {
  return `${task_number} ${toPlainName(title)}`;
}

/** For the preview in an inbox, which shows about 100 characters. */
function listTitles({ tasks }: Pick<LetterTasks, "tasks">): string {
  return tasks
    .slice(0, 5)
    .map(({ title }) => toPlainName(title))
    .join(", ");
}

function listWords(details: readonly Detail[]): string {
  return details.map(({ words }) => words).join(" · ");
}

function describeTask(task: LetterTask): Detail[] {
  return [...describePlace(task), ...describeDue(task)];
}

function describePlace({ asset_name, workspace_name }: LetterTask): Detail[] {
  return [asset_name, workspace_name].flatMap((name) =>
    name === null ? [] : [{ words: withoutLinks(name) }],
  );
}

function describeDue({ due_date: day, days_overdue: daysOverdue }: LetterTask): Detail[] {
  if (day === null) return [{ words: t("no due date") }];
  const style = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
  const date = dateFormat(style).format(new Date(`${day}T00:00:00Z`));
  if (daysOverdue === null) return [{ words: t("due {date}", { date }) }];
  const days = daysOverdue;
  return [
    {
      words: t("due {date}, {days, plural, one {# day} other {# days}} overdue", { date, days }),
      isBad: true,
    },
  ];
}
