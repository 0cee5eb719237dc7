import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import {
  createTaskLink,
  findTaskLinks,
  getTaskLink,
  linkDays,
  maxContractor,
  maxReason,
  revokeTaskLink,
  sendTaskBack,
  type LinkServices,
  type ShownTaskLink,
} from "../../../domain/tasks/task-links.js";
import { toLinkUrl } from "../../../domain/tasks/task-link-mails.js";
import { t } from "../../../language/translate.js";
import { FormActions, PostForm, Select, TextArea, TextInput } from "../../forms/controls.js";
import { choiceField, required, textField } from "../../forms/form-fields.js";
import { otherPage, seeOther, type FormReply } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import type { FormRequest } from "../../forms/form-spec.js";
import { QrImage } from "../../forms/qr-image.js";
import { TextToCopy } from "../../forms/text-to-copy.js";
import { ActionLink } from "../../layout/page-head.js";
import { countOf } from "../../text/format.js";
import { isOpen, readTaskToChange, toAddressOf, type OpenedTask } from "../read-task.js";
import { TaskFormPage } from "../task-form-page.js";
import { LinkList } from "./links-section.js";

interface Sharing {
  opened: OpenedTask;
  links: readonly ShownTaskLink[];
}

function toLinkServices({ services }: FastifyInstance): LinkServices {
  return { secrets: services.taskLinkSecrets, mails: services.mails };
}

const dayChoices = linkDays.map(String) as [`${(typeof linkDays)[number]}`];

type Created = Awaited<ReturnType<typeof createTaskLink>> & { deduplicated?: true };

/** `/tasks/:id/share`: a link with which a contractor works on the task. */
const shareForm = formRoute({
  path: "/tasks/:id/share",
  limit: "task-link",
  open: async ({ db, caller, id }: FormRequest): Promise<Sharing | FormReply> => {
    const opened = await readTaskToChange(db, caller, id);
    const { task } = opened;
    if (!isOpen(opened) || !opened.may.change) {
      const text = t("Only open tasks can be shared with contractors.");
      return seeOther(toAddressOf(task), text);
    }
    const links = await findTaskLinks(db, caller, task.id);
    return { opened, links };
  },
  fields: {
    contractor: required(textField("Contractor"), "Enter the contractor's name."),
    email: textField("Email"),
    days: required(choiceField("Valid for", dayChoices), "Choose how long the link works."),
  },
  begin: () => ({ days: "7" }),
  // The result holds no secret, because it is stored with the form's key.
  once: "share_task",
  change: (
    tx,
    { app, caller, subject: { opened }, given: { contractor, email, days } },
  ): Promise<Created> =>
    createTaskLink(tx, caller, opened.task.id, toLinkServices(app), {
      contractor,
      email,
      days: Number(days) as (typeof linkDays)[number],
    }),
  done: (
    { id, isSent, deduplicated }: Created,
    { app, caller: { organizationId }, subject: { opened }, given: { contractor } },
  ) => {
    if (deduplicated === true) {
      const text = t("This link was already created. Its address was shown only once.");
      return seeOther(toAddressOf(opened.task), text);
    }
    const { mails, taskLinkSecrets, config } = app.services;
    mails.announce();
    const address = toLinkUrl(config.baseUrl, taskLinkSecrets.create({ organizationId, id }));
    return otherPage(200, <SharedPage {...{ opened, address, contractor, isSent }} />);
  },
  page: ({ app, subject }) => <SharePage {...subject} canSend={app.services.mails.delivers} />,
});

function SharePage({ opened, links, canSend }: Sharing & { canSend: boolean }): VNode {
  const { task } = opened;
  return (
    <TaskFormPage
      opened={opened}
      title={t("Share {number} with a contractor", { number: task.task_number })}
      facts={<strong dir="auto">{task.title}</strong>}
    >
      <p>
        {t(
          "Creates a link to this task only. It works without an account: the contractor sees the task, its steps and the asset's label, and can answer steps, add photos and notes, and mark the task as done.",
        )}
      </p>
      <PostForm class="panel">
        <TextInput name="contractor" maxLength={maxContractor} help={t("A person or a company.")} />
        {canSend && (
          <TextInput
            name="email"
            type="email"
            maxLength={254}
            help={t("Sends the link. Leave blank to send it yourself.")}
          />
        )}
        <Select
          name="days"
          options={dayChoices.map((value) => ({ value, label: countOf(Number(value), "day") }))}
        />
        <FormActions submit={t("Create link")} cancel={toAddressOf(task)} />
      </PostForm>
      {links.length > 0 && (
        <section aria-labelledby="contractors">
          <h2 id="contractors">{t("Contractor links")}</h2>
          <LinkList task={task} links={links} />
        </section>
      )}
    </TaskFormPage>
  );
}

interface SharedView {
  opened: OpenedTask;
  address: string;
  contractor: string;
  isSent: boolean;
}

function SharedPage({ opened, address, contractor, isSent }: SharedView): VNode {
  return (
    <TaskFormPage opened={opened} title={t("Link for {name}", { name: contractor })}>
      <p>
        {isSent && `${t("The link is on its way by email.")} `}
        {t("Anyone with this address can work on the task until the link ends.")}{" "}
        <strong>{t("Shown only once.")}</strong>
      </p>
      <section class="panel" aria-label={t("Address")}>
        <TextToCopy id="address" label={t("Address")} value={address} />
        <QrImage text={address} label={t("QR code of the link")} />
        <div class="actions">
          <ActionLink href={toAddressOf(opened.task)}>{t("Back to the task")}</ActionLink>
        </div>
      </section>
    </TaskFormPage>
  );
}

interface OpenedLinkOfTask {
  opened: OpenedTask;
  link: ShownTaskLink;
}

async function openLink({ db, caller, id, params }: FormRequest): Promise<OpenedLinkOfTask> {
  const opened = await readTaskToChange(db, caller, id);
  const link = await getTaskLink(db, caller, opened.task.id, params["link"] ?? "");
  return { opened, link };
}

/** `/tasks/:id/links/:link/revoke` */
const revokeForm = formRoute({
  path: "/tasks/:id/links/:link/revoke",
  open: openLink,
  change: (tx, { caller, subject: { opened, link } }) =>
    revokeTaskLink(tx, caller, opened.task.id, link.id),
  done: (_, { subject: { opened, link } }) =>
    seeOther(
      toAddressOf(opened.task),
      t("Link of {name} revoked. It no longer works.", { name: link.contractor }),
    ),
  page: ({ subject: { opened, link } }) => {
    const values = { name: link.contractor };
    return (
      <TaskFormPage
        opened={opened}
        title={t("Revoke link")}
        heading={t("Revoke the link of {name}?", values)}
      >
        <p>{t("It stops working right away. Answers, photos and notes are kept.")}</p>
        <PostForm>
          <FormActions submit={t("Revoke link")} danger cancel={toAddressOf(opened.task)} />
        </PostForm>
      </TaskFormPage>
    );
  },
});

/** `/tasks/:id/links/:link/send-back`: the contractor sees the reason at the link. */
const sendBackForm = formRoute({
  path: "/tasks/:id/links/:link/send-back",
  open: async (form: FormRequest): Promise<OpenedLinkOfTask | FormReply> => {
    const found = await openLink(form);
    // The form was sent twice, or someone else reviewed the work.
    return found.link.done_at === null ? seeOther(toAddressOf(found.opened.task)) : found;
  },
  fields: { reason: required(textField("Reason"), "Explain what is missing.") },
  change: (tx, { app, caller, subject: { opened, link }, given: { reason } }) =>
    sendTaskBack(tx, caller, toLinkServices(app), { taskId: opened.task.id, id: link.id }, reason),
  done: ({ isSent }: { isSent: boolean }, { app, subject: { opened, link } }) => {
    if (isSent) app.services.mails.announce();
    const sent = isSent ? [t("The contractor gets an email.")] : [];
    const text = [t("Sent back to {name}.", { name: link.contractor }), ...sent].join(" ");
    return seeOther(toAddressOf(opened.task), text);
  },
  page: ({ app, subject: { opened, link } }) => {
    const values = { name: link.contractor };
    return (
      <TaskFormPage
        opened={opened}
        title={t("Send back to {name}", values)}
        heading={t("Send back to {name}?", values)}
        facts={<strong dir="auto">{opened.task.title}</strong>}
      >
        {link.state !== "active" && (
          <p>{t("Their link no longer works. Share the task again to let them continue.")}</p>
        )}
        <PostForm class="panel">
          <TextArea
            name="reason"
            help={
              link.email !== null && link.state === "active" && app.services.mails.delivers
                ? t("Shown at the link and sent to {email}.", { email: link.email })
                : t("The contractor reads it at the link.")
            }
            maxLength={maxReason}
            rows={3}
          />
          <FormActions submit={t("Send back")} cancel={toAddressOf(opened.task)} />
        </PostForm>
      </TaskFormPage>
    );
  },
});

export const taskLinkForms: FastifyPluginAsync = async (app) => {
  await app.register(shareForm);
  await app.register(revokeForm);
  await app.register(sendBackForm);
};
