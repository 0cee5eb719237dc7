import type { ComponentChildren, VNode } from "preact";
import { Page } from "../layout/layout.js";
import { PageHead, type Crumb } from "../layout/page-head.js";
import type { OpenedTask } from "./read-task.js";
import { toFormCrumbs } from "./task-head.js";

export function TaskFormPage({
  opened,
  title,
  heading = title,
  crumbs = toFormCrumbs(opened),
  facts,
  children,
}: {
  opened: OpenedTask;
  title: string;
  heading?: string;
  crumbs?: readonly Crumb[];
  facts?: ComponentChildren;
  children: ComponentChildren;
}): VNode {
  return (
    <Page title={title} current="/tasks/">
      <PageHead title={heading} crumbs={crumbs} facts={facts} />
      {children}
    </Page>
  );
}
