import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import {
  addAbsence,
  maySetAbsences,
  removeAbsence,
  type AbsenceRow,
} from "../../../domain/people/absences.js";
import { getMember, type MemberDetails } from "../../../domain/people/member-details.js";
import type { StoredWorkingTime } from "../../../domain/people/working-time.js";
import { t } from "../../../language/translate.js";
import { FormActions, PostForm, TextInput } from "../../forms/controls.js";
import { toFormErrors } from "../../forms/form-errors.js";
import { dayField, hiddenField, required, textField } from "../../forms/form-fields.js";
import { formRoute } from "../../forms/form-route.js";
import { refuseAt, seeOther } from "../../forms/form-reply.js";
import { Facts } from "../../layout/facts.js";
import { ActionLink } from "../../layout/page-head.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { describeDayRange, describeWorkingTime } from "../../text/working-time.js";
import { SettingsPage } from "../settings-layout.js";
import { membersAddress, personAddress, toMemberCrumbs } from "./parts.js";

/** `/settings/members/:id/absences`: adds an absence. */
export const absenceForm = formRoute({
  path: `${membersAddress}/:id/absences`,
  open: ({ db, caller, id }) => getMember(db, caller, id),
  fields: {
    first_day: required(
      dayField(() => toFieldLabel("first_day")),
      "Enter the first day.",
    ),
    last_day: dayField(() => toFieldLabel("last_day")),
    note: textField(() => toFieldLabel("note")),
  },
  once: "add_absence",
  change: (tx, { caller, id, given }) => addAbsence(tx, caller, { user_id: id, ...given }),
  done: (absence, { id }) =>
    seeOther(personAddress(id), t("Absence added: {days}.", { days: describeDayRange(absence) })),
  page: ({ subject: member }) => {
    const back = personAddress(member.id);
    return (
      <SettingsPage
        title={t("Add absence")}
        heading={t("Add absence of {name}", { name: member.name })}
        current={back}
        crumbs={toMemberCrumbs(member)}
      >
        <PostForm class="panel">
          <div class="field-row">
            <TextInput name="first_day" type="date" />
            <TextInput name="last_day" type="date" help={t("Leave blank for one day.")} />
          </div>
          <TextInput name="note" help={t("Only this person and admins see it.")} maxLength={200} />
          <FormActions submit={t("Add absence")} cancel={back} />
        </PostForm>
      </SettingsPage>
    );
  },
});

/** The button that removes an absence. */
export const absenceRemovalForm = formRoute({
  path: `${membersAddress}/:id/absences/remove`,
  isPage: false,
  fields: { first_day: hiddenField },
  change: (tx, { caller, id, given: { first_day = "" } }) =>
    removeAbsence(tx, caller, { user_id: id, first_day }),
  toErrors: (error, { id }) => refuseAt(personAddress(id), toFormErrors(error)[0]?.message),
  done: (absence, { id }) =>
    seeOther(
      personAddress(id),
      absence === undefined
        ? t("Nothing was changed.")
        : t("Absence removed: {days}.", { days: describeDayRange(absence) }),
    ),
});

interface WorkingTimeView {
  member: MemberDetails;
  caller: Caller;
  time: StoredWorkingTime;
  absences: readonly AbsenceRow[];
}

/** For the person's page. */
export function MemberWorkingTime({ member, caller, time, absences }: WorkingTimeView): VNode {
  const { own, usual } = time;
  const address = personAddress(member.id);
  const maySet = maySetAbsences(caller, member.id);
  return (
    <section class="panel" aria-labelledby="working-time">
      <h2 id="working-time">{t("Working time")}</h2>
      <Facts
        facts={[
          [own === null ? t("Usual") : t("Own||working time"), describeWorkingTime(own ?? usual)],
        ]}
      />
      {absences.length > 0 && (
        <table class="absences">
          <thead>
            <tr>
              <th scope="col">{t("Absences")}</th>
              {maySet && <th scope="col">{t("Note")}</th>}
              {maySet && (
                <th scope="col">
                  <span class="visually-hidden">{t("Actions")}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {absences.map((absence) => (
              <Absence key={absence.first_day} of={absence} address={address} maySet={maySet} />
            ))}
          </tbody>
        </table>
      )}
      <div class="actions">
        {maySet && (
          <ActionLink href={`${address}/absences`} quiet>
            {t("Add absence")}
          </ActionLink>
        )}
        {isOrganizationAdmin(caller) && (
          <ActionLink href={`${address}/working-time`} quiet>
            {t("Change working time")}
          </ActionLink>
        )}
      </div>
    </section>
  );
}

function Absence({
  of: absence,
  address,
  maySet,
}: {
  of: AbsenceRow;
  address: string;
  maySet: boolean;
}): VNode {
  const days = describeDayRange(absence);
  return (
    <tr>
      <th scope="row">{days}</th>
      {maySet && <td dir="auto">{absence.note}</td>}
      {maySet && (
        <td>
          <PostForm action={`${address}/absences/remove`}>
            <input type="hidden" name="first_day" value={absence.first_day} />
            <button type="submit" class="quiet" aria-label={t("Remove absence {days}", { days })}>
              {t("Remove")}
            </button>
          </PostForm>
        </td>
      )}
    </tr>
  );
}
