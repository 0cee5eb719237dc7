import type { ComponentChildren, VNode } from "preact";
import { t } from "../../language/translate.js";
import { useLayout } from "../layout/layout-context.js";
import { HiddenToken } from "../layout/hidden-token.js";
import { ErrorSummary } from "../layout/error-summary.js";
import { useForm } from "./form-context.js";
import { createFormKey } from "./key-and-version.js";
import { describe, FieldError, Help, Labelled, type ControlProps } from "./labelled.js";
import { isTyped, TypedChoice, type Choice } from "./person-choice.js";

export interface PostFormProps {
  /** Default: the address of the page. */
  action?: string;
  class?: string;
  /** True if the form concerns only the person, whichever organization is current. */
  isPersonal?: boolean;
  hasFiles?: boolean;
  /**
   * The version of the record that a button of the page changes. Such a form shares no state with
   * other forms.
   */
  version?: number;
  /** True if the form runs once however often it is sent. Default: as the page's form. */
  isKeyed?: boolean;
  children: ComponentChildren;
}

/**
 * Every form that changes something. It names its organization, so a switch in another tab can't
 * misdirect it.
 */
export function PostForm(props: PostFormProps): VNode {
  const { organization } = useLayout();
  const form = useForm();
  const {
    action,
    isPersonal = false,
    hasFiles = false,
    version = form.shownVersion,
    isKeyed = form.isKeyed,
    children,
  } = props;
  const errors = props.version === undefined ? form.errors : [];
  return (
    <>
      <ErrorSummary errors={errors} />
      <form
        method="post"
        action={action}
        class={props.class}
        enctype={hasFiles ? "multipart/form-data" : undefined}
        novalidate={errors.length > 0}
      >
        <HiddenToken />
        {!isPersonal && organization !== undefined && (
          <input type="hidden" name="_organization" value={organization.id} />
        )}
        {version !== undefined && (
          <input type="hidden" name="expected_version" value={String(version)} />
        )}
        {isKeyed && <input type="hidden" name="request_key" value={createFormKey()} />}
        {children}
      </form>
    </>
  );
}

export interface TextInputProps extends ControlProps {
  maxLength?: number;
  autocomplete?: string;
  /** The id of a `Suggestions` list. */
  list?: string;
  type?: "text" | "email" | "date" | "datetime-local" | "password";
  inputMode?: "numeric" | "decimal";
}

/** One line of text, a date, or a number. With `inputMode`, an error doesn't lose the input. */
export function TextInput(props: TextInputProps): VNode {
  const { type = "text", maxLength, autocomplete = "off", list, inputMode } = props;
  const isAsset = useForm().fields[props.name]?.namesAsset;
  return (
    <Labelled props={props}>
      {(wiring, value) => (
        <input
          {...wiring}
          // The types of `type` are a union by literal, so one must be named.
          {...({ type } as { type: "text" })}
          value={type === "password" ? undefined : value}
          maxLength={maxLength}
          autocomplete={autocomplete}
          list={list}
          inputMode={inputMode}
          data-finds={isAsset ? "assets" : undefined}
          autocapitalize={type === "email" || type === "password" ? "none" : undefined}
          spellcheck={type === "email" || type === "password" ? false : undefined}
        />
      )}
    </Labelled>
  );
}

/** A local file. An earlier selection is never shown again. */
export function FileInput(props: ControlProps & { accept?: string }): VNode {
  return (
    <Labelled props={props}>
      {(wiring) => <input {...wiring} type="file" accept={props.accept} />}
    </Labelled>
  );
}

/** Suggests known values while the person types. Accepts any other text. */
export function Suggestions({ id, values }: { id: string; values: readonly string[] }): VNode {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}

export function TextArea(
  props: ControlProps & {
    maxLength?: number;
    rows?: number;
    /** The address of the asset or task whose people a script suggests after "@". */
    mentions?: string;
  },
): VNode {
  const { maxLength, rows = 4, mentions } = props;
  const suggests = mentions !== undefined && {
    "data-mentions": `${mentions}/people`,
    "data-label": t("People"),
  };
  return (
    <Labelled props={props}>
      {(wiring, value) => (
        // HTML drops a line break right after the tag.
        <textarea {...wiring} {...suggests} rows={rows} maxLength={maxLength}>
          {value.startsWith("\n") ? `\n${value}` : value}
        </textarea>
      )}
    </Labelled>
  );
}

export interface Option extends Choice {
  /** The label's language, if it differs from the page's. */
  lang?: string;
}

/** One option of a list. `empty` is the label for no choice. */
export function Select(
  props: ControlProps & {
    options: readonly Option[];
    empty?: string;
    /** Selected in a new form. */
    preset?: string;
  },
): VNode {
  const { options, empty, preset = "" } = props;
  if (isTyped(options)) {
    const help = [props.help, t("Type a name or an email address.")];
    return (
      <Labelled props={{ ...props, help: help.filter(Boolean).join(" ") }}>
        {(wiring, value) => (
          <TypedChoice {...wiring} value={value} options={options} placeholder={empty} />
        )}
      </Labelled>
    );
  }
  return (
    <Labelled props={props}>
      {(wiring, value) => (
        <select {...wiring}>
          {empty !== undefined && <option value="">{empty}</option>}
          {options.map(({ label, ...option }) => (
            <option key={option.value} {...option} selected={option.value === (value || preset)}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** Labels by value as options, in their order. */
export function toOptions(words: Readonly<Record<string, string>>): Option[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

export function toNamedOptions(things: readonly { id: string; name: string }[]): Option[] {
  return things.map(({ id, name }) => ({ value: id, label: name }));
}

/** One checkbox. Several with one name need an `id` each. */
export function Checkbox(props: {
  name: string;
  label?: ComponentChildren;
  value?: string;
  id?: string;
  checked?: boolean;
  help?: string | undefined;
}): VNode {
  const { values, errors, fields } = useForm();
  const { name, label = fields[name]?.label(), value = "yes", id = name, help } = props;
  const { checked = values[name] === value } = props;
  const error = errors.find(({ field }) => field === id)?.message;
  return (
    <div class="choice">
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        checked={checked}
        {...describe(id, help, error)}
      />
      <label for={id}>{label}</label>
      <Help id={id} text={help} />
      <FieldError id={id} text={error} />
    </div>
  );
}

export function FormActions({
  submit,
  danger = false,
  cancel,
  cancelWords = t("Cancel"),
  children,
}: {
  submit: string;
  danger?: boolean;
  cancel?: string;
  /** For pages on which "Cancel" could mean something else. */
  cancelWords?: string;
  children?: ComponentChildren;
}): VNode {
  return (
    <div class="actions">
      <button type="submit" class={danger ? "danger" : undefined}>
        {submit}
      </button>
      {cancel !== undefined && (
        <a class="button quiet" href={cancel}>
          {cancelWords}
        </a>
      )}
      {children}
    </div>
  );
}
