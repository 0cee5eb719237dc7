import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../domain/access/caller.js";
import { createOnce } from "../../domain/changes/idempotency.js";
import {
  getOrganizationSettings,
  updateOrganization,
  type OrganizationSettings,
  type OrganizationUpdate,
} from "../../domain/organizations/organization-settings.js";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import { commit } from "../../domain/sql/transactions.js";
import { FormActions, PostForm, Select, TextInput, type Option } from "../forms/controls.js";
import { readForm, required, textField, wholeField } from "../forms/form-fields.js";
import { createFormKey, newVersionOf, readFormKey, toFormErrors } from "../forms/forms.js";
import { Facts, Number, PageHead } from "../layout/page-parts.js";
import type { FormError } from "../layout/parts.js";
import { callerOf, layoutProps, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { SettingsPage } from "./settings-frame.js";

const address = "/settings/organization";

const fields = {
  name: required(textField("Name"), "Enter a name."),
  time_zone: required(textField("Time zone"), "Choose a time zone."),
  currency: required(textField("Currency"), "Choose a currency."),
  inventory_prefix: textField("Inventory prefix"),
  expected_version: wholeField("Version"),
};

type Values = Partial<Record<string, string>>;

interface Shown {
  values: Values;
  errors: readonly FormError[];
  isStale?: boolean;
}

/** `/settings/organization`: name, time zone, currency and inventory prefix; members read them. */
export const organizationFormPages: FastifyPluginAsync = async (app) => {
  app.get(address, async (request, reply) => {
    const settings = await getOrganizationSettings(app.db.manager, callerOf(request));
    return show(request, reply, settings, { values: toValues(settings), errors: [] });
  });

  app.post(address, async (request, reply) => {
    const caller = callerOf(request);
    await requireOrganizationAdmin(app.db.manager, caller, "change the organization");
    const { values, given, errors } = readForm(request.body, fields);
    const refuse = async (refused: Shown) => {
      const settings = await getOrganizationSettings(app.db.manager, caller);
      return show(request, reply.code(400), settings, refused);
    };
    if (errors.length > 0) return refuse({ values, errors });
    const update: OrganizationUpdate = given;
    const intended = {
      tool: "web:update_organization",
      requestKey: readFormKey(request.body),
      arguments: update,
    };
    try {
      const { organization, changed } = await commit(app.db, (tx) =>
        createOnce(tx, caller, intended, () => updateOrganization(tx, caller, update)),
      );
      const text = changed.length === 0 ? "Nothing was changed." : `${organization.name} is saved.`;
      flash(request, text);
      return await reply.redirect(address, 303);
    } catch (error) {
      const latest = newVersionOf(error);
      const expected_version = String(latest ?? values.expected_version);
      return refuse({
        values: { ...values, expected_version },
        errors: toFormErrors(error),
        isStale: latest !== undefined,
      });
    }
  });
};

async function show(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: OrganizationSettings,
  shown: Shown,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const frame = layoutProps(request, reply);
  return sendPage(reply, <OrganizationPage {...{ frame, caller, settings, ...shown }} />);
}

function toValues(settings: OrganizationSettings): Values {
  const { name, time_zone, currency, inventory_prefix, version } = settings;
  return { name, time_zone, currency, inventory_prefix, expected_version: String(version) };
}

interface OrganizationView extends Shown {
  frame: LayoutProps;
  caller: Caller;
  settings: OrganizationSettings;
}

function OrganizationPage(view: OrganizationView): VNode {
  const { frame, caller, settings, isStale = false } = view;
  return (
    <SettingsPage title="Organization" current={address} frame={frame}>
      <PageHead title="Organization" />
      {isOrganizationAdmin(caller) ? (
        <>
          {isStale && (
            <p>
              <a href={address}>Look at the settings as they are now</a>
            </p>
          )}
          <OrganizationForm {...view} />
        </>
      ) : (
        <>
          <p class="soft">Admins of the organization can change this.</p>
          <section class="panel">
            <Facts
              facts={[
                ["Name", settings.name],
                ["Time zone", toZoneLabel(settings.time_zone)],
                ["Currency", toCurrencyLabel(settings.currency)],
                ["Inventory prefix", <Number>{settings.inventory_prefix}</Number>],
              ]}
            />
          </section>
        </>
      )}
    </SettingsPage>
  );
}

function OrganizationForm({ frame, settings, values, errors }: OrganizationView): VNode {
  const { prefix_is_used: isUsed, inventory_prefix: prefix } = settings;
  return (
    <PostForm frame={frame} errors={errors}>
      <input type="hidden" name="request_key" value={createFormKey()} />
      <input type="hidden" name="expected_version" value={values.expected_version ?? ""} />
      <TextInput name="name" label="Name" maxLength={120} required {...{ values, errors }} />
      <Select
        name="time_zone"
        label="Time zone"
        help="Dates are read in it: what is due today, what is overdue, and the times of the history. Changing it changes how they are shown, not what is stored."
        required
        options={withPresent(zones, settings.time_zone, toZoneLabel)}
        {...{ values, errors }}
      />
      <Select
        name="currency"
        label="Currency"
        help="For new amounts. Amounts that are stored already keep their currency."
        required
        options={withPresent(currencies, settings.currency, toCurrencyLabel)}
        {...{ values, errors }}
      />
      {isUsed ? (
        <div class="field">
          <p class="label">Inventory prefix</p>
          <p class="help">
            Fixed, because inventory numbers like <Number>{`${prefix}-000001`}</Number> were given
            with it.
          </p>
          <p>
            <Number>{prefix}</Number>
          </p>
        </div>
      ) : (
        <TextInput
          name="inventory_prefix"
          label="Inventory prefix"
          help={`1 to 8 letters and digits. New assets get numbers like ${prefix}-000001; with the first of them the prefix is fixed.`}
          maxLength={8}
          required
          {...{ values, errors }}
        />
      )}
      <FormActions submit="Save organization" />
    </PostForm>
  );
}

function toZoneLabel(zone: string): string {
  return zone.replaceAll("_", " ");
}

const currencyNames = new Intl.DisplayNames("en", { type: "currency" });

function toCurrencyLabel(code: string): string {
  const name = currencyNames.of(code);
  return name === undefined || name === code ? code : `${code} – ${name}`;
}

/** Without "UTC", which is no place. */
const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")].map(
  (value) => ({ value, label: toZoneLabel(value) }),
);

const currencies = Intl.supportedValuesOf("currency").map((value) => ({
  value,
  label: toCurrencyLabel(value),
}));

/** The choices with the present one among them, which another version of the list may lack. */
function withPresent(
  options: readonly Option[],
  value: string,
  toLabel: (value: string) => string,
): readonly Option[] {
  if (options.some((option) => option.value === value)) return options;
  return [{ value, label: toLabel(value) }, ...options];
}
