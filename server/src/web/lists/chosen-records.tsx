import type { ComponentChildren, VNode } from "preact";
import type { ChosenRecord, ManyChanged } from "../../domain/change-sets/change-many.js";
import { idKindOf } from "../../domain/values/ids.js";
import { changeSetAddress } from "../changes/addresses.js";
import { Checkbox, FormActions, PostForm } from "../forms/controls.js";
import { readAll, readText } from "../forms/form-fields.js";
import { seeOther, type FormReply } from "../forms/form-reply.js";
import type { FormRequest } from "../forms/form-spec.js";
import { cameFrom } from "../layout/came-from.js";
import type { FormError } from "../layout/error-summary.js";
import { Page } from "../layout/layout.js";
import { PageHead } from "../layout/page-head.js";
import { countOf } from "../text/format.js";

/** More are changed by several steps, or by an import. */
const maxChosen = 100;

/** What was chosen in a list, and the list with its filters. */
export interface Chosen {
  records: readonly ChosenRecord[];
  back: string;
}

interface ChosenList {
  /** "/tasks" */
  path: string;
  one: "asset" | "task";
  find: (ids: readonly string[]) => Promise<readonly ChosenRecord[]>;
}

/** Reads which records a form is about; what the caller does not see is not among them. */
export async function readChosen(
  { request }: FormRequest,
  { path, one, find }: ChosenList,
): Promise<Chosen | FormReply> {
  const { query, body } = request;
  const asked = [...readAll(query, "ids"), ...readAll(body, "ids")];
  const ids = new Set(asked.filter((id) => idKindOf(id) === one));
  const from = readText(body, "back") || (cameFrom(request) ?? "");
  // What no browser sends as an address cannot stand in a header.
  const back = from.split("?", 1)[0] === path && /^[!-~]+$/.test(from) ? from : path;
  if (ids.size > maxChosen) return seeOther(back, `Choose ${maxChosen} ${one}s at most.`);
  const records = ids.size === 0 ? [] : await find([...ids]);
  if (records.length === 0) return seeOther(back, `Choose the ${one}s to change first.`);
  return { records, back };
}

/** Back to the list; where something stayed as it is, to why. */
export function afterMany({ id, ...counts }: ManyChanged, one: string, back: string): FormReply {
  const { changed, same, refused } = counts;
  const text = [
    `${countOf(changed, one)} changed.`,
    ...(same > 0 ? [`${same} already so.`] : []),
    ...(refused > 0 ? [`${refused} refused.`] : []),
  ].join(" ");
  const report = changeSetAddress(id);
  if (refused > 0) return seeOther(report, text, { href: back, label: "Back to the list" });
  return seeOther(back, text, { href: report, label: "See what changed, or undo it" });
}

/** The page on which many are changed at once: what they are, and what becomes of them. */
export function ChangeManyPage({
  chosen: { records, back },
  current,
  one,
  children,
}: {
  chosen: Chosen;
  current: string;
  one: ChosenList["one"];
  children: ComponentChildren;
}): VNode {
  const title = `Change ${countOf(records.length, one)}`;
  return (
    <Page title={title} current={`${current}/`}>
      <PageHead
        title={title}
        crumbs={[{ href: back, label: one === "task" ? "Tasks" : "Assets" }]}
      />
      <PostForm class="panel" action={`${current}/change`}>
        <input type="hidden" name="back" value={back} />
        <p class="help">
          What is left empty stays as it is. The whole change can be undone at once.
        </p>
        {children}
        <details class="group" open={records.length < 8}>
          <summary>{countOf(records.length, one)}</summary>
          {records.map(({ id, name }) => (
            <Checkbox key={id} name="ids" id={id} value={id} label={name} checked />
          ))}
        </details>
        <FormActions submit={title} cancel={back} />
      </PostForm>
    </Page>
  );
}

/** A form that asks for nothing, or for a loss that nobody has confirmed yet. */
export function whatIsMissing(
  given: { state?: string; sure?: true },
  { loss, fields }: { loss: string; fields: { sure: { label: string } } },
): FormError[] {
  const { sure, ...asked } = given;
  if (Object.keys(asked).length === 0) return [{ message: "Choose what to change." }];
  if (given.state !== loss || sure === true) return [];
  return [{ field: "sure", message: `Tick “${fields.sure.label}”, or choose another state.` }];
}
