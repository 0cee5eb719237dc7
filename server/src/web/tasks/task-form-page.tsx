import type { ComponentChildren, VNode } from "preact";
import { Page } from "../layout/layout.js";
import { PageHead } from "../layout/page-head.js";
import type { OpenedTask } from "./read-task.js";
import { toFormCrumbs } from "./task-head.js";

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
