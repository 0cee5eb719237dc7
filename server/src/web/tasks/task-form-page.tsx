import type { ComponentChildren, VNode } from "preact";
import { StaleNotice } from "../forms/stale-notice.js";
import { Page } from "../layout/layout.js";
import { PageHead } from "../layout/page-parts.js";
import { toAddressOf, type OpenedTask } from "./read-task.js";
import { toFormCrumbs } from "./task-head.js";

/** A page with one form about one task. */
export function TaskFormPage({
  opened,
  title,
  heading = title,
  facts,
  children,
}: {
  opened: OpenedTask;
  title: string;
  heading?: string;
  facts?: ComponentChildren;
  children: ComponentChildren;
}): VNode {
  return (
    <Page title={title} current="/tasks/">
      <PageHead title={heading} crumbs={toFormCrumbs(opened)} facts={facts} />
      {children}
    </Page>
  );
}

export function StaleTask({
  opened: { task },
  children,
}: {
  opened: OpenedTask;
  children?: ComponentChildren;
}): VNode {
  return (
    <StaleNotice what="task" href={toAddressOf(task)}>
      {children}
    </StaleNotice>
  );
}
