import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import type { Tx } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import type { AppError } from "../../errors.js";
import type { FormError } from "../layout/error-summary.js";
import type { Complete, FormFields, Given, Values } from "./form-fields.js";
import type { FormReply } from "./form-reply.js";
import type { WindowName } from "../../traffic/bounds.js";

/** Who asks for the page of a form, and at which address. */
export interface FormRequest {
  app: FastifyInstance;
  request: FastifyRequest;
  reply: FastifyReply;
  db: Tx;
  /** Who acts; only behind `requireMember`. */
  readonly caller: Caller;
  /** What the address names. */
  params: Readonly<Record<string, string>>;
  /** `:id` of the address. */
  id: string;
  /** A text of the query of the address, empty where there is none. */
  query: (name: string) => string;
}

export interface OpenedForm<Subject> extends FormRequest {
  /** What the form is about. */
  subject: Subject;
}

export interface Form<Subject, Fields> extends OpenedForm<Subject> {
  /** Everything as it was typed, or as the form begins. */
  values: Values<Fields>;
  given: Given<Fields>;
  errors: readonly FormError[];
  /** The reading of the subject that a posted form was made on. */
  version: number | undefined;
  /** Whether the subject has changed since that reading. */
  isStale: boolean;
  /** Why the change was refused. */
  refusal: AppError | undefined;
}

/** A form in which nothing is missing and nothing is wrong. */
export type ValidForm<Subject, Fields> = Omit<Form<Subject, Fields>, "given"> & {
  given: Complete<Fields>;
};

export interface FormSpec<Subject, Fields extends FormFields, Result> {
  path: string;
  /** False for a button of another page whose refusals have a page: there is nothing to get. */
  isPage?: false;
  /** The page runs the script of passkeys, or scans with the camera. */
  script?: true | "scan";
  /** The form brings files, of at most what is kept of one unless told otherwise. */
  upload?: { maxFiles: number; maxMegabytes?: number; isPublic?: true };
  /** How often one address may post it. */
  limit?: WindowName;
  /** What the form is about; what the person may not do is refused here, before it is shown. */
  open?: (form: FormRequest) => Promise<Subject | FormReply>;
  /** The reading of the subject: a form made on an older one is refused with what is there now. */
  version?: (subject: Subject) => number;
  fields?: Fields | ((form: OpenedForm<Subject>) => Fields);
  /** The texts that the form begins with. */
  begin?: (form: OpenedForm<Subject>) => Values<Fields> | Promise<Values<Fields>>;
  /** What is wrong with the fields together. */
  check?: (form: Form<Subject, Fields>) => FormError[];
  /** The name of what it does; sent twice, it does it once. */
  once?: string;
  /**
   * Set for changes of what is the person's own, which no membership decides on: the session alone is
   * confirmed at the commit. Who waited for a membership would keep everybody waiting who wants the account.
   */
  isPersonal?: true;
  /** False when the change makes its own transaction; `tx` is the database then. */
  inTransaction?: false;
  /** Set where `change` finds out who it is, and changes nothing: what is asked for is made by `done`. */
  onlyChecks?: true;
  /** Undefined when the subject is as the form asks already. */
  change: (tx: Tx, form: ValidForm<Subject, Fields>) => Promise<Result>;
  /** The controls that stand for arguments of another name. */
  controls?: Readonly<Record<string, string>>;
  /** What a refusal says, where it is not what all forms say. */
  toErrors?: (
    error: unknown,
    form: Form<Subject, Fields>,
  ) => FormError[] | FormReply | Promise<FormError[] | FormReply>;
  /** Where to go on, and what to say there. */
  done: (result: Result, form: ValidForm<Subject, Fields>) => FormReply | Promise<FormReply>;
  /** Left out for a button of another page whose refusals lead back there, by `toErrors`. */
  page?: (form: Form<Subject, Fields>) => VNode | Promise<VNode>;
}

/** A form about one record, below its address. */
export interface RecordFormSpec<Subject, Fields extends FormFields, Result> extends Omit<
  FormSpec<Subject, Fields, Result>,
  "path"
> {
  /** The end of the address: `/assets/:id/…`. */
  action: string;
}
