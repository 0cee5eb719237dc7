import type { ComponentChildren, VNode } from "preact";
import type { ChosenRecord, ManyChanged } from "../../domain/history/change-many.js";
import { idKindOf } from "../../domain/shared/ids.js";
import { t } from "../../language/translate.js";
import { changeSetAddress } from "../history/changes/addresses.js";
import { Checkbox, FormActions, PostForm } from "../forms/controls.js";
import { readAll, readText, type FormField } from "../forms/form-fields.js";
import { refuseAt, seeOther, type FormReply } from "../forms/form-reply.js";
import type { FormRequest } from "../forms/form-spec.js";
import { cameFrom } from "../layout/came-from.js";
import type { FormError } from "../layout/error-summary.js";
import { Page } from "../layout/layout.js";
import { PageHead } from "../layout/page-head.js";
import { countOf } from "../text/format.js";
import { describeRefusalForPeople } from "../text/refusals-for-people.js";

/** For more records, use several steps or an import. */
const maxChosen = 100;

interface ListedRecord extends ChosenRecord {
  /** Tells records with one name apart: a task's asset and workspace. */
  about?: readonly (string | null)[];
}

/** The records selected in a list or on the home page, and the address to return to. */
export interface Chosen {
  records: readonly ListedRecord[];
  back: string;
}

interface ChosenList {
  /** "/tasks" */
  path: string;
  one: "asset" | "task";
  find: (ids: readonly string[]) => Promise<readonly ListedRecord[]>;
}

const choose = {
  asset: { most: "Select at most {max} assets.", first: "Select the assets to edit first." },
  task: { most: "Select at most {max} tasks.", first: "Select the tasks to edit first." },
} as const;

/** Reads the selected records of a form. Omits records that the caller can't see. */
export async function readChosen(
  { request }: FormRequest,
  { path, one, find }: ChosenList,
): Promise<Chosen | FormReply> {
  const { query, body } = request;
  const asked = [...readAll(query, "ids"), ...readAll(body, "ids")];
  const ids = new Set(asked.filter((id) => idKindOf(id) === one));
  const from = readText(body, "back") || (cameFrom(request) ?? "");
  // A header must not contain text that no browser sends as an address.
  const isKnown = [path, "/"].includes(from.split("?", 1)[0] ?? "");
  const back = isKnown && /^[!-~]+$/.test(from) ? from : path;
  if (ids.size > maxChosen) return refuseAt(back, t(choose[one].most, { max: maxChosen }));
  const records = ids.size === 0 ? [] : await find([...ids]);
  if (records.length === 0) return refuseAt(back, t(choose[one].first));
  return { records, back };
}

/** Redirects to the list, or to the reasons if records were refused. */
export function afterMany(
  { id, changed, same, refused, reasons }: ManyChanged,
  one: ChosenList["one"],
  back: string,
): FormReply {
  const isRefused = refused > 0 && changed === 0;
  const text = [
    isRefused ? t("Nothing changed.") : t("{records} changed.", { records: countOf(changed, one) }),
    ...(same > 0 ? [t("{count} already set.", { count: same })] : []),
    ...(refused > 0 ? [t("{count} refused.", { count: refused })] : []),
    ...(reasons.length === 1 ? reasons.map(describeRefusalForPeople) : []),
  ].join(" ");
  const report = changeSetAddress(id);
  if (refused === 0) {
    const undo = changed > 0 ? id : undefined;
    return seeOther(back, text, { href: report, label: t("View changes") }, { undo });
  }
  const toList = { href: back, label: t("Back to the list") };
  return seeOther(report, text, toList, { kind: isRefused ? "refusal" : "warning" });
}

export function ChangeManyPage({
  chosen: { records, back },
  current,
  one,
  title = t("Edit {records}", { records: countOf(records.length, one) }),
  submit = t("Save {records}", { records: countOf(records.length, one) }),
  query = "",
  actions,
  children,
}: {
  chosen: Chosen;
  current: string;
  one: ChosenList["one"];
  /** The result of the button, if the form isn't for any change. */
  title?: string | undefined;
  submit?: string | undefined;
  /** Kept in the address of a refused form. */
  query?: string;
  /** Further buttons. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}): VNode {
  return (
    <Page title={title} current={`${current}/`}>
      <PageHead title={title} crumbs={[{ href: back, label: labelOf(back, one) }]} />
      <PostForm class="panel folding-form" action={`${current}/change${query}`}>
        <input type="hidden" name="back" value={back} />
        <p class="help">
          {t("Only the fields you fill in are changed. You can undo all changes.")}
        </p>
        {children}
        <details class="group" open={records.length < 8}>
          <summary>{countOf(records.length, one)}</summary>
          {records.map((record) => (
            <Checkbox
              key={record.id}
              name="ids"
              id={record.id}
              value={record.id}
              label={<RecordLabel record={record} />}
              checked
            />
          ))}
        </details>
        <FormActions submit={submit} cancel={back}>
          {actions}
        </FormActions>
      </PostForm>
    </Page>
  );
}

function RecordLabel({ record: { name, about = [] } }: { record: ListedRecord }): VNode {
  return (
    <>
      <bdi>{name}</bdi>{" "}
      <span class="about">
        {about
          .filter((part) => part !== null)
          .map((part) => (
            <bdi key={part}>{part}</bdi>
          ))}
      </span>
    </>
  );
}

function labelOf(back: string, one: ChosenList["one"]): string {
  if (back.split("?", 1)[0] === "/") return t("Home");
  return one === "task" ? t("Tasks") : t("Assets");
}

/** The error of a form without a change, or with an unconfirmed loss. */
export function whatIsMissing(
  given: { state?: string; sure?: true },
  { loss, fields }: { loss: string; fields: { sure: FormField<true> } },
): FormError[] {
  const { sure, ...asked } = given;
  if (Object.keys(asked).length === 0) return [{ message: t("Choose at least one change.") }];
  if (given.state !== loss || sure === true) return [];
  const label = fields.sure.label();
  return [{ field: "sure", message: t("Select “{label}”, or choose another state.", { label }) }];
}
