import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import type { Tx } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import type { AppError } from "../../errors.js";
import type { FormError } from "../layout/error-summary.js";
import type { Complete, FormFields, Given, Values } from "./form-fields.js";
import type { FormReply } from "./form-reply.js";
import type { WindowName } from "../../traffic/bounds.js";

export interface FormRequest {
  app: FastifyInstance;
  request: FastifyRequest;
  reply: FastifyReply;
  db: Tx;
  /** Only available behind `requireMember`. */
  readonly caller: Caller;
  params: Readonly<Record<string, string>>;
  /** `:id` of the address. */
  id: string;
  /** A parameter of the query. Empty if it is missing. */
  query: (name: string) => string;
}

export interface OpenedForm<Subject> extends FormRequest {
  subject: Subject;
}

export interface Form<Subject, Fields> extends OpenedForm<Subject> {
  /** The input as typed, or the initial values. */
  values: Values<Fields>;
  given: Given<Fields>;
  errors: readonly FormError[];
  /** The version of the subject that a posted form is based on. */
  version: number | undefined;
  /** True if the subject has changed since that version. */
  isStale: boolean;
  /** True if the uploads are stored, even if the form is refused. */
  hasReceived: boolean;
  refusal: AppError | undefined;
}

export type ValidForm<Subject, Fields> = Omit<Form<Subject, Fields>, "given"> & {
  given: Complete<Fields>;
};

export interface FormSpec<Subject, Fields extends FormFields, Result> {
  path: string;
  /** False for a button on another page whose refusals have their own page. There is no GET. */
  isPage?: false;
  /**
   * Loads one of our scripts, those of members' pages, those that scan with the camera, or the one
   * for push messages.
   */
  script?: true | "page" | "scan" | "push";
  /** The form uploads files. By default, each may have the size limit of stored files. */
  upload?: { maxFiles: number; maxMegabytes?: number; isPublic?: true };
  /** The rate limit for posts from one address. */
  limit?: WindowName;
  /** Loads the form's subject. Refuses people without permission before the form is shown. */
  open?: (form: FormRequest) => Promise<Subject | FormReply>;
  /**
   * The subject's version. A form based on an older one is refused and shows the current values.
   */
  version?: (subject: Subject) => number;
  fields?: Fields | ((form: OpenedForm<Subject>) => Fields);
  begin?: (form: OpenedForm<Subject>) => Values<Fields> | Promise<Values<Fields>>;
  /** Errors that concern several fields together. */
  check?: (form: Form<Subject, Fields>) => FormError[];
  /**
   * Stores the uploads. Runs even if other fields are wrong, because a browser can't send the files
   * of a refused form again.
   */
  receive?: (form: OpenedForm<Subject>) => Promise<unknown>;
  /** The action's name for idempotency. A form that is sent twice runs once. */
  once?: string;
  /**
   * Set for changes to the person's own data, which no membership controls. The commit confirms
   * only the session. Waiting for a membership would block everyone who needs the account.
   */
  isPersonal?: true;
  /** False if the change makes its own transaction. `tx` is the database then. */
  inTransaction?: false;
  /**
   * Set if `change` only identifies the person and changes nothing. `done` makes the requested
   * change.
   */
  onlyChecks?: true;
  /** Returns undefined if the subject already matches the form. */
  change: (tx: Tx, form: ValidForm<Subject, Fields>) => Promise<Result>;
  /** Maps arguments to controls with other names. */
  controls?: Readonly<Record<string, string>>;
  /** The messages of a refusal, if they differ from the default. */
  toErrors?: (
    error: unknown,
    form: Form<Subject, Fields>,
  ) => FormError[] | FormReply | Promise<FormError[] | FormReply>;
  /** The next page and its message. */
  done: (result: Result, form: ValidForm<Subject, Fields>) => FormReply | Promise<FormReply>;
  /**
   * Omitted for a button on another page. A refusal then has the page of errors, unless `toErrors`
   * redirects back.
   */
  page?: (form: Form<Subject, Fields>) => VNode | Promise<VNode>;
}

export interface RecordFormSpec<Subject, Fields extends FormFields, Result> extends Omit<
  FormSpec<Subject, Fields, Result>,
  "path"
> {
  /** The end of the address: `/assets/:id/…`. */
  action: string;
}
