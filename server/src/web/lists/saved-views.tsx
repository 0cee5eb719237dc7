import type { VNode } from "preact";
import type { ViewedList } from "../../db/entities/people.js";
import {
  deleteView,
  findSavedViews,
  saveView,
  type View,
} from "../../domain/people/saved-views.js";
import { AppError } from "../../errors.js";
import { t } from "../../language/translate.js";
import { FormActions, PostForm, TextInput } from "../forms/controls.js";
import { checkboxField, hiddenField, required, textField } from "../forms/form-fields.js";
import { FormRefusal, seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import { Page } from "../layout/layout.js";
import { PageHead } from "../layout/page-head.js";
import { toAddress } from "./pager.js";

const maxViews = 20;

/**
 * `/tasks/view` and `/assets/view`: saves the list's filters (`?query=`) under a name, or changes
 * or deletes a saved view (`?view=`).
 */
export function savedViewForm(list: ViewedList, title: () => string) {
  const path = `/${list}`;
  return formRoute({
    path: `${path}/view`,
    open: async ({ db, caller, query }) => {
      const views = await findSavedViews(db, caller, list);
      const saved = views.find(({ name }) => name === query("view"));
      if (query("view") !== "" && saved === undefined)
        throw new AppError("not_found", "nothing_there");
      return { views, saved, query: saved?.query ?? query("query") };
    },
    fields: {
      name: required(textField("Name"), "Enter a name."),
      query: hiddenField,
      deleted: checkboxField("Delete this view"),
    },
    begin: ({ subject: { saved, query } }) => ({ name: saved?.name ?? "", query }),
    change: async (
      tx,
      { caller, subject: { views, saved }, given: { name, query = "", deleted } },
    ) => {
      if (saved !== undefined) await deleteView(tx, caller, list, saved.name);
      if (deleted === true) return "";
      if (saved === undefined && views.length >= maxViews) {
        const message = t("You have {max} views. Delete one first.", { max: maxViews });
        throw new FormRefusal([{ field: "name", message }]);
      }
      await saveView(tx, caller, list, { name, query });
      return query;
    },
    done: (query, { given: { deleted } }) =>
      seeOther(
        toAddress(path, new URLSearchParams(query)),
        deleted === true ? t("View deleted.") : t("View saved."),
      ),
    page: ({ subject }) => <ViewPage path={path} list={title()} {...subject} />,
  });
}

interface ViewPageProps {
  path: string;
  list: string;
  saved: View | undefined;
  query: string;
}

function ViewPage({ path, list, saved, query }: ViewPageProps): VNode {
  const title = saved === undefined ? t("Save view") : t("Edit view");
  return (
    <Page title={title} current={`${path}/`}>
      <PageHead title={title} crumbs={[{ href: path, label: list }]} />
      <PostForm class="panel">
        <input type="hidden" name="query" value={query} />
        <TextInput
          name="name"
          maxLength={60}
          help={t("Only you see it. Share it by its address.")}
        />
        <FormActions submit={t("Save")} cancel={toAddress(path, new URLSearchParams(query))}>
          {saved !== undefined && (
            <button type="submit" class="quiet danger" name="deleted" value="yes">
              {t("Delete view")}
            </button>
          )}
        </FormActions>
      </PostForm>
    </Page>
  );
}

/** Tabs above a list: its usual views, the person's saved ones, and a link to save the current filters. */
export function Views({
  path,
  usual,
  saved,
  current,
}: {
  path: string;
  usual: readonly { label: string; query: URLSearchParams }[];
  saved: readonly View[];
  /** The query of the shown list. */
  current: URLSearchParams;
}): VNode {
  const own = saved.map(({ name, query }) => ({ label: name, query: new URLSearchParams(query) }));
  const isShown = ({ query }: { query: URLSearchParams }) =>
    query.toString() === current.toString();
  const chosen = own.find(isShown);
  return (
    <nav class="quick-views no-print" aria-label={t("Views")}>
      <ul>
        {[...usual, ...own].map((view) => (
          <li key={view.label}>
            <a
              href={toAddress(path, view.query)}
              aria-current={isShown(view) ? "page" : undefined}
              dir="auto"
            >
              {view.label}
            </a>
          </li>
        ))}
        {chosen !== undefined && (
          <li>
            <ViewLink path={path} query={{ view: chosen.label }} words={t("Edit view")} />
          </li>
        )}
        {chosen === undefined && !usual.some(isShown) && (
          <li>
            <ViewLink path={path} query={{ query: current.toString() }} words={t("Save view")} />
          </li>
        )}
      </ul>
    </nav>
  );
}

interface ViewLinkProps {
  path: string;
  query: Record<string, string>;
  words: string;
}

function ViewLink({ path, query, words }: ViewLinkProps): VNode {
  return (
    <a class="change" href={toAddress(`${path}/view`, new URLSearchParams(query))}>
      {words}
    </a>
  );
}
