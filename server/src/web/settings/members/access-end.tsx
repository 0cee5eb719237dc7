import type { VNode } from "preact";
import { readingOfAccessEnd, setAccessEnd } from "../../../domain/people/access-end.js";
import { getMember, type MemberDetails } from "../../../domain/people/member-details.js";
import { requireOrganizationAdmin } from "../../../domain/access/roles.js";
import { t } from "../../../language/translate.js";
import { FormActions, PostForm, TextInput } from "../../forms/controls.js";
import { dayField } from "../../forms/form-fields.js";
import { seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import { StaleLink } from "../../forms/stale-notice.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { formatDay } from "../../text/format.js";
import { SettingsPage } from "../settings-layout.js";
import { membersAddress, personAddress, toMemberCrumbs } from "./parts.js";

/** `/settings/members/:id/access-end`: the end date of a membership. */
export const accessEndForm = formRoute({
  path: `${membersAddress}/:id/access-end`,
  open: async ({ db, caller, id }) => {
    await requireOrganizationAdmin(db, caller, "manage members");
    return getMember(db, caller, id);
  },
  version: readingOfAccessEnd,
  fields: { access_ends_on: dayField(() => toFieldLabel("access_ends_on")) },
  begin: ({ subject }) => ({ access_ends_on: subject.access_ends_on ?? "" }),
  change: (tx, { caller, id, given, version: expected }) =>
    setAccessEnd(tx, caller, { user_id: id, access_ends_on: given.access_ends_on, expected }),
  done: ({ id, name, access_ends_on: day }) =>
    seeOther(
      personAddress(id),
      day === null
        ? t("{name}'s access has no end date.", { name })
        : t("{name} has access until the end of {day}.", { name, day: formatDay(day) }),
    ),
  page: ({ subject, caller }) => (
    <AccessEndPage member={subject} organization={caller.organizationName} />
  ),
});

interface AccessEndView {
  member: MemberDetails;
  organization: string;
}

function AccessEndPage({ member, organization }: AccessEndView): VNode {
  const back = personAddress(member.id);
  return (
    <SettingsPage
      title={t("Last day with access")}
      heading={t("When does {name}'s access to {organization} end?", {
        name: member.name,
        organization,
      })}
      current={back}
      crumbs={toMemberCrumbs(member)}
    >
      <p>
        {t(
          "Access ends after this day, in the browser and through apps. Their open tasks and assets become unassigned. The account and history are kept.",
        )}
      </p>
      <StaleLink href={back} />
      <PostForm>
        <TextInput
          name="access_ends_on"
          type="date"
          help={t("In the organization's time zone. Leave blank for no end date.")}
        />
        <FormActions submit={t("Save")} cancel={back} />
      </PostForm>
    </SettingsPage>
  );
}
