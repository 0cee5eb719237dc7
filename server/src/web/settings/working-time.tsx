import type { VNode } from "preact";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import { getMember } from "../../domain/people/member-details.js";
import {
  getWorkingTime,
  readingOfWorkingTime,
  setWorkingTime,
  type WorkingTime,
} from "../../domain/people/working-time.js";
import { t } from "../../language/translate.js";
import { Checkbox, FormActions, PostForm, TextInput } from "../forms/controls.js";
import { checkboxField, numberField, required, type FormField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import { StaleLink } from "../forms/stale-notice.js";
import { writeNumber } from "../forms/typed-numbers.js";
import { Facts } from "../layout/facts.js";
import { ActionLink } from "../layout/page-head.js";
import { toFieldLabel } from "../text/field-labels.js";
import { describeWorkingTime, weekdayName, weekdays } from "../text/working-time.js";
import { membersAddress, personAddress, toMemberCrumbs } from "./members/parts.js";
import { organizationAddress, organizationCrumbs } from "./organization-address.js";
import { SettingsPage } from "./settings-layout.js";

const hours = numberField(() => toFieldLabel("weekly_hours"), { decimals: 2 });

/** A checkbox for each weekday, `day_1` to `day_7`. */
const days: Record<string, FormField<true>> = Object.fromEntries(
  weekdays.map((day) => [`day_${day}`, checkboxField(() => weekdayName(day))]),
);

function toValues(time: WorkingTime | null, shown: WorkingTime): Record<string, string> {
  return {
    weekly_hours: time === null ? "" : writeNumber(time.weekly_minutes / 60),
    ...Object.fromEntries(shown.working_days.map((day) => [`day_${day}`, "yes"])),
  };
}

function toTime(weeklyHours: number, given: Readonly<Record<string, unknown>>): WorkingTime {
  return {
    weekly_minutes: Math.round(weeklyHours * 60),
    working_days: weekdays.filter((day) => given[`day_${day}`] === true),
  };
}

const controls = { working_days: "day_1" };

function Controls({ help }: { help?: string }): VNode {
  return (
    <>
      <TextInput name="weekly_hours" inputMode="decimal" {...(help !== undefined && { help })} />
      <fieldset class="weekdays">
        <legend>{toFieldLabel("working_days")}</legend>
        {weekdays.map((day) => (
          <Checkbox key={day} name={`day_${day}`} />
        ))}
      </fieldset>
    </>
  );
}

const ofOrganization = `${organizationAddress}/working-time`;

/** `/settings/organization/working-time`: of everyone without their own. */
export const usualWorkingTimeForm = formRoute({
  path: ofOrganization,
  open: async ({ db, caller }) => {
    await requireOrganizationAdmin(db, caller, "edit the organization");
    return (await getWorkingTime(db, caller)).usual;
  },
  version: readingOfWorkingTime,
  fields: { weekly_hours: required(hours, "Enter the hours per week."), ...days },
  begin: ({ subject }) => toValues(subject, subject),
  controls,
  change: (tx, { caller, given: { weekly_hours, ...given }, version: expected }) =>
    setWorkingTime(tx, caller, { time: toTime(weekly_hours, given), expected }),
  done: () => seeOther(organizationAddress, t("Working time saved.")),
  page: () => (
    <SettingsPage title={t("Working time")} current={ofOrganization} crumbs={organizationCrumbs}>
      <StaleLink href={ofOrganization} />
      <PostForm class="panel">
        <Controls help={t("The plan compares each person's work with it.")} />
        <FormActions submit={t("Save")} cancel={organizationAddress} />
      </PostForm>
    </SettingsPage>
  ),
});

/** `/settings/members/:id/working-time`: a person's own. */
export const ownWorkingTimeForm = formRoute({
  path: `${membersAddress}/:id/working-time`,
  open: async ({ db, caller, id }) => {
    await requireOrganizationAdmin(db, caller, "manage members");
    const [member, time] = await Promise.all([
      getMember(db, caller, id),
      getWorkingTime(db, caller, id),
    ]);
    return { member, ...time };
  },
  version: ({ own }) => readingOfWorkingTime(own),
  fields: { weekly_hours: hours, ...days },
  begin: ({ subject: { own, usual } }) => toValues(own, own ?? usual),
  controls,
  change: (tx, { caller, id, given: { weekly_hours, ...given }, version: expected }) =>
    setWorkingTime(tx, caller, {
      user_id: id,
      time: weekly_hours === undefined ? null : toTime(weekly_hours, given),
      expected,
    }),
  done: (_, { id }) => seeOther(personAddress(id), t("Working time saved.")),
  page: ({ subject: { member, usual } }) => {
    const back = personAddress(member.id);
    return (
      <SettingsPage
        title={t("Working time")}
        heading={t("Working time of {name}", { name: member.name })}
        current={back}
        crumbs={toMemberCrumbs(member)}
      >
        <StaleLink href={back} />
        <PostForm class="panel">
          <Controls
            help={t("Leave blank for the usual: {time}.", { time: describeWorkingTime(usual) })}
          />
          <FormActions submit={t("Save")} cancel={back} />
        </PostForm>
      </SettingsPage>
    );
  },
});

/** For the organization's page, where every member reads it. */
export function WorkingTimePanel({
  usual,
  isAdmin,
}: {
  usual: WorkingTime;
  isAdmin: boolean;
}): VNode {
  return (
    <section class="panel" aria-labelledby="working-time">
      <h2 id="working-time">{t("Working time")}</h2>
      <Facts facts={[[t("Usual"), describeWorkingTime(usual)]]} />
      {isAdmin && (
        <div class="actions">
          <ActionLink href={ofOrganization} quiet>
            {t("Change")}
          </ActionLink>
        </div>
      )}
    </section>
  );
}
