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
  /** The address of the page when left out. */
  action?: string;
  class?: string;
  /** About the person alone: it holds in whatever organization the person is by then. */
  isPersonal?: boolean;
  /** Files go with it. */
  hasFiles?: boolean;
  /** Of the record that a button of its page changes; such a form shares nothing with others. */
  version?: number;
  children: ComponentChildren;
}

/**
 * Every form that changes something. It says which organization it was made for, so that switching
 * in another tab never sends it elsewhere.
 */
export function PostForm(props: PostFormProps): VNode {
  const { organization } = useLayout();
  const form = useForm();
  const {
    action,
    isPersonal = false,
    hasFiles = false,
    version = form.shownVersion,
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
        {form.isKeyed && <input type="hidden" name="request_key" value={createFormKey()} />}
        {children}
      </form>
    </>
  );
}

export interface TextInputProps extends ControlProps {
  maxLength?: number;
  autocomplete?: string;
  /** Names of a `Suggestions` list. */
  list?: string;
  type?: "text" | "email" | "date" | "datetime-local" | "password";
  inputMode?: "numeric" | "decimal";
}

/** One line of text, a date, or a number (with `inputMode`, which keeps what was typed on an error). */
export function TextInput(props: TextInputProps): VNode {
  const { type = "text", maxLength, autocomplete = "off", list, inputMode } = props;
  const isAsset = useForm().fields[props.name]?.namesAsset;
  return (
    <Labelled props={props}>
      {(wiring, value) => (
        <input
          {...wiring}
          // The attribute types are a choice by literal, one of which has to be named.
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

/** A file of one's own computer; what was chosen is never shown again. */
export function FileInput(props: ControlProps & { accept?: string }): VNode {
  return (
    <Labelled props={props}>
      {(wiring) => <input {...wiring} type="file" accept={props.accept} />}
    </Labelled>
  );
}

/** Known values to choose from while typing; any other text is taken as well. */
export function Suggestions({ id, values }: { id: string; values: readonly string[] }): VNode {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}

export function TextArea(props: ControlProps & { maxLength?: number; rows?: number }): VNode {
  const { maxLength, rows = 4 } = props;
  return (
    <Labelled props={props}>
      {(wiring, value) => (
        // A line break right behind the tag belongs to HTML, not to the text.
        <textarea {...wiring} rows={rows} maxLength={maxLength}>
          {value.startsWith("\n") ? `\n${value}` : value}
        </textarea>
      )}
    </Labelled>
  );
}

export interface Option extends Choice {
  /** Of the label, where it is not that of the page. */
  lang?: string;
}

/** One of a list; `empty` is the words of the first option, which stands for nothing chosen. */
export function Select(
  props: ControlProps & { options: readonly Option[]; empty?: string },
): VNode {
  const { options, empty } = props;
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
            <option key={option.value} {...option} selected={option.value === value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** Words by value as options, in the order of the words. */
export function toOptions(words: Readonly<Record<string, string>>): Option[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** Things to choose from by their names. */
export function toNamedOptions(things: readonly { id: string; name: string }[]): Option[] {
  return things.map(({ id, name }) => ({ value: id, label: name }));
}

/** One box to tick; several of one name get an `id` each. */
export function Checkbox(props: {
  name: string;
  label?: ComponentChildren;
  value?: string;
  id?: string;
  checked?: boolean;
  help?: string;
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

/** The end of a form: what happens, and the way out. */
export function FormActions({
  submit,
  danger = false,
  cancel,
  cancelWords = t("Cancel"),
}: {
  submit: string;
  danger?: boolean;
  /** Where the way out leads. */
  cancel?: string;
  /** Where "Cancel" could mean something else. */
  cancelWords?: string;
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
    </div>
  );
}
