import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { lockSession } from "../../domain/access/lock-session.js";
import { createOnce } from "../../domain/history/idempotency.js";
import { commit, dryRun } from "../../domain/history/transactions.js";
import { hashJson } from "../../domain/shared/canonical-json.js";
import { omit } from "../../domain/shared/omit.js";
import { AppError, isRefusal } from "../../errors.js";
import { t } from "../../language/translate.js";
import type { FormError } from "../layout/error-summary.js";
import { callerOf, flash, refuse, sendPage, wantsData } from "../layout/reply.js";
import { redirectToMfaSetup } from "../layout/mfa-redirect.js";
import { saveDraft, restoreDraft, tellFilledIn } from "../layout/typed-forms.js";
import { FormContext, type FormState, type FoundAsset } from "./form-context.js";
import { findAssetChoices, takeFound } from "./found-assets.js";
import {
  findRepeated,
  readFields,
  readForm,
  readText,
  type FormFields,
  type Values,
} from "./form-fields.js";
import type { Form, FormRequest, FormSpec, OpenedForm, ValidForm } from "./form-spec.js";
import { isOwnChange, newVersionOf, toFormErrors } from "./form-errors.js";
import { readFormKey, readVersion } from "./key-and-version.js";
import { FormRefusal, FormReply } from "./form-reply.js";
import { routeLimit } from "../../traffic/bounds.js";

/**
 * The page of a form. GET shows it. POST reads it, makes its change in a transaction and redirects.
 * Refused input is shown again as typed (400, or 429 with `Retry-After`).
 */
export function formRoute<
  Subject = undefined,
  Fields extends FormFields = FormFields,
  Result = unknown,
>(spec: FormSpec<Subject, Fields, Result>): FastifyPluginAsync {
  return async (app) => {
    const page = new FormPage(spec);
    const script = spec.script !== undefined && { script: spec.script };
    const hasPage = spec.page !== undefined && spec.isPage !== false;
    if (hasPage) {
      app.get(spec.path, { config: { ...script } }, (request, reply) =>
        page.get(createRequest(app, request, reply)),
      );
    }
    const { maxMegabytes } = app.services.files;
    const config = {
      ...script,
      keepsTyped: hasPage,
      ...(spec.limit !== undefined && { rateLimit: routeLimit(spec.limit) }),
      ...(spec.upload !== undefined && { upload: { maxMegabytes, ...spec.upload } }),
    };
    app.post(spec.path, { config }, async (request, reply) => {
      const { person } = request;
      if (person !== null && spec.path.startsWith("/settings"))
        await app.services.limitSettings(person.id);
      return page.post(createRequest(app, request, reply));
    });
  };
}

function createRequest(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): FormRequest {
  const params = request.params as Record<string, string>;
  return {
    app,
    request,
    reply,
    db: request.db,
    params,
    id: params["id"] ?? "",
    query: (name) => readText(request.query, name),
    get caller() {
      return callerOf(request);
    },
  };
}

/** Sorts errors by the order of the form's fields. Errors about the whole form come last. */
function inOrderOf(names: readonly string[], errors: readonly FormError[]): FormError[] {
  const placeOf = ({ field = "" }: FormError) =>
    names.includes(field) ? names.indexOf(field) : names.length;
  return errors.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The version of a changed task, on which its next waiting form is based. */
function versionIn(result: unknown): number | undefined {
  return (result as { task?: { version?: number } } | undefined)?.task?.version;
}

function digestOf(sent: object): string {
  return hashJson(sent).toString("base64url").slice(0, 16);
}

interface Outcome<Result> {
  result: Result;
  /** True if nothing had to change, as for a form that is sent twice. */
  isRepeated: boolean;
}

class FormPage<Subject, Fields extends FormFields, Result> {
  readonly #spec: FormSpec<Subject, Fields, Result>;

  constructor(spec: FormSpec<Subject, Fields, Result>) {
    this.#spec = spec;
  }

  async get(request: FormRequest): Promise<FastifyReply> {
    const form = await this.#open(request);
    if (form instanceof FormReply) return form.send(request.reply, false);
    const typed = await restoreDraft(request.request);
    if (typed === undefined) form.values = (await this.#spec.begin?.(form)) ?? {};
    else {
      // Pages read the selected checkboxes from here.
      request.request.body = typed;
      this.#readTyped(form, typed);
      tellFilledIn(request.request, this.#spec.upload !== undefined);
    }
    return this.#show(form);
  }

  /** Keeps the input while the person sets up a required second factor. */
  async post(request: FormRequest): Promise<FastifyReply> {
    try {
      return await this.#post(request);
    } catch (error) {
      const hasPage = this.#spec.page !== undefined && this.#spec.isPage !== false;
      if (!hasPage || !isRefusal(error, "second_factor_needed")) throw error;
      const notice = saveDraft(request.request)
        ? t("Set up a second factor to continue. Your input is kept.")
        : t("Your input is too long to keep. Send it again once you have a second factor.");
      flash(request.request, notice);
      return redirectToMfaSetup(request.request, request.reply, "admin", request.request.url);
    }
  }

  async #post(request: FormRequest): Promise<FastifyReply> {
    const form = await this.#open(request);
    if (form instanceof FormReply) return form.send(request.reply, false);
    this.#read(form);
    const refused = await this.#receive(form);
    if (refused !== undefined) return refused.send(form.reply, false);
    if (form.errors.length > 0) {
      if (form.refusal === undefined) refuse(form.reply, undefined);
      return this.#showRefused(form);
    }
    const valid = form as ValidForm<Subject, Fields>;
    const outcome = await this.#submit(valid).catch(
      async (error: unknown) =>
        (await this.#findRepeated(valid, error)) ?? (await this.#refuse(form, error)),
    );
    if (outcome instanceof FormReply) return outcome.send(form.reply, false);
    if (outcome === undefined) return this.#showRefused(form);
    if (this.#spec.onlyChecks !== true) form.request.hasCommitted = true;
    const next = await this.#spec.done(outcome.result, valid);
    if (wantsData(form.request)) {
      const text = next.text.replaceAll("\n", " ");
      return form.reply.send({ text, version: versionIn(outcome.result) });
    }
    return next.send(form.reply, outcome.isRepeated);
  }

  async #open(request: FormRequest): Promise<Form<Subject, Fields> | FormReply> {
    const subject = await this.#spec.open?.(request);
    if (subject instanceof FormReply) return subject;
    return Object.assign(request, {
      subject: subject as Subject,
      values: {},
      given: {},
      errors: [],
      version: undefined,
      isStale: false,
      hasReceived: false,
      refusal: undefined,
    });
  }

  #readTyped(form: Form<Subject, Fields>, body: unknown): void {
    form.values = readFields(body, Object.keys(this.#fieldsOf(form))) as Values<Fields>;
    if (this.#spec.version !== undefined) form.version = readVersion(body);
  }

  #read(form: Form<Subject, Fields>): void {
    const fields = this.#fieldsOf(form);
    const body = takeFound(form.request.body, fields);
    Object.assign(form, readForm(body, fields));
    if (this.#spec.version !== undefined) form.version = readVersion(body);
    const repeated = findRepeated(body, fields);
    const errors = [...repeated, ...form.errors, ...(this.#spec.check?.(form) ?? [])];
    form.errors = inOrderOf(Object.keys(fields), errors);
  }

  /** Adds the refusal of an upload to the form's other errors. */
  async #receive(form: Form<Subject, Fields>): Promise<FormReply | undefined> {
    const { errors } = form;
    try {
      await this.#spec.receive?.(form);
      form.hasReceived = this.#spec.receive !== undefined && form.request.uploads.length > 0;
      return undefined;
    } catch (error) {
      const reply = await this.#refuse(form, error);
      form.errors = [...errors, ...form.errors];
      return reply;
    }
  }

  async #submit(form: ValidForm<Subject, Fields>): Promise<Outcome<Result>> {
    const { once, inTransaction = true, isPersonal = false, change } = this.#spec;
    const { request, params, values, version } = form;
    if (!inTransaction) return { result: await change(form.db, form), isRepeated: false };
    const sent = {
      ...params,
      ...(request.query as object),
      ...values,
      version,
      // Some controls have no field, such as the checks of a list.
      body: omit(
        (request.body ?? {}) as Partial<Record<string, unknown>>,
        ...["_csrf", "_person", "_replaces", "request_key"],
      ),
    };
    const key = readFormKey(request.body);
    const intended = once !== undefined && {
      tool: `web:${once}`,
      // An edited form is another change, which its version refuses or permits.
      requestKey: version === undefined ? key : `${key}.${digestOf(sent)}`,
      arguments: sent,
    };
    const caller = isPersonal ? null : request.caller;
    const result = await commit<unknown>({ db: request.db, caller }, async (tx) => {
      if (intended !== false)
        return createOnce(tx, form.caller, intended, () => change(tx, form) as Promise<object>);
      const done = await change(tx, form);
      if (isPersonal) await lockSession(tx, request.session.sessionId);
      return done;
    });
    const isDeduplicated = (result as { deduplicated?: true } | undefined)?.deduplicated === true;
    const isUnchanged = version !== undefined && result === undefined;
    return { result: result as Result, isRepeated: isDeduplicated || isUnchanged };
  }

  /**
   * For a form based on an older version: returns an outcome if its sender already made its change.
   */
  async #findRepeated(
    form: ValidForm<Subject, Fields>,
    error: unknown,
  ): Promise<Outcome<Result> | undefined> {
    const { caller } = form.request;
    if (newVersionOf(error) === undefined || caller === null || !isOwnChange(error, caller)) {
      return undefined;
    }
    const given = omit(form.given as { note?: unknown }, "note");
    const unversioned = { ...form, version: undefined, given } as typeof form;
    try {
      const result = await dryRun(form.request.db, (tx) => this.#spec.change(tx, unversioned));
      const { changed } = (result ?? {}) as { changed?: readonly unknown[] };
      if (changed?.length !== 0) return undefined;
      // A repeat needs no warning that nothing changed.
      return { result: { ...result, warnings: [] }, isRepeated: true };
    } catch (refusal) {
      if (refusal instanceof AppError) return undefined;
      throw refusal;
    }
  }

  /** Adds a refusal to the form and loads the current subject. */
  async #refuse(form: Form<Subject, Fields>, error: unknown): Promise<FormReply | undefined> {
    // Without the database, the form can't be shown.
    if (error instanceof AppError && error.code === "unavailable") throw error;
    const { toErrors = toFormErrors, controls = {}, open } = this.#spec;
    const errors = error instanceof FormRefusal ? error.errors : await toErrors(error, form);
    if (errors instanceof FormReply) return errors;
    const fields: FormFields = this.#fieldsOf(form);
    form.errors = errors.map(({ field = "", message }) => {
      const isShown = fields[field] !== undefined && fields[field].isHidden !== true;
      return { field: controls[field] ?? (isShown ? field : undefined), message };
    });
    form.refusal = error instanceof AppError ? error : undefined;
    const newVersion = newVersionOf(error);
    form.isStale = newVersion !== undefined;
    form.version = newVersion ?? form.version;
    refuse(form.reply, error);
    const subject = await open?.(form);
    if (subject instanceof FormReply) return subject;
    form.subject = subject as Subject;
    return undefined;
  }

  /** A script gets the values too if they name stored uploads, which it must not send again. */
  async #showRefused(form: Form<Subject, Fields>): Promise<FastifyReply> {
    const { request, reply, errors, isStale, hasReceived, values } = form;
    if (!wantsData(request)) return this.#show(form);
    const message = errors.map((error) => error.message).join(" ");
    return reply.send({ message, isStale, ...(hasReceived && { received: values }) });
  }

  async #show(form: Form<Subject, Fields>): Promise<FastifyReply> {
    const page = await this.#spec.page?.(form);
    if (page === undefined) {
      throw form.refusal ?? new Error(`${this.#spec.path} has no page for a refusal.`);
    }
    const state = {
      found: await this.#findAssets(form),
      values: form.values,
      errors: form.errors,
      fields: this.#fieldsOf(form),
      shownVersion: form.version ?? this.#spec.version?.(form.subject),
      isStale: form.isStale,
      isKeyed: this.#spec.once !== undefined,
    };
    return sendPage(form.reply, <FormContext.Provider value={state}>{page}</FormContext.Provider>);
  }

  /** Finds the assets that a text may mean if it names none. */
  async #findAssets(form: Form<Subject, Fields>): Promise<FormState["found"]> {
    const fields: FormFields = this.#fieldsOf(form);
    const values: Partial<Record<string, string>> = form.values;
    const found: Record<string, readonly FoundAsset[]> = {};
    for (const { field = "" } of form.errors) {
      if (fields[field]?.namesAsset !== true) continue;
      const { db, caller, app } = form;
      found[field] = await findAssetChoices(db, caller, values[field] ?? "", app.services.cursors);
    }
    return found;
  }

  #fieldsOf(form: OpenedForm<Subject>): Fields {
    const { fields = {} as Fields } = this.#spec;
    return typeof fields === "function" ? fields(form) : fields;
  }
}
