import type { VNode } from "preact";
import { idKindOf } from "../../domain/shared/ids.js";
import { lazily, t, type Words } from "../../language/translate.js";
import { Problem, type FormField } from "./form-fields.js";

export interface Choice {
  value: string;
  label: string;
  /** The option for everyone else. The list is too long, so a name is typed. */
  typed?: true;
}

export function isTyped(options: readonly Choice[]): boolean {
  return options.some(({ typed }) => typed === true);
}

/** A text field with suggestions, for long lists of people. Each suggestion ends with an id. */
export function TypedChoice({
  options,
  value,
  ...wiring
}: {
  id: string;
  name: string;
  value: string;
  options: readonly Choice[];
  placeholder?: string | undefined;
}): VNode {
  const toText = ({ value: id, label }: Choice) =>
    idKindOf(id) === "user" ? `${label} (${id})` : id;
  const chosen = options.find((option) => option.value === value);
  const list = `${wiring.id}-list`;
  return (
    <>
      <input
        {...wiring}
        value={chosen === undefined ? value : toText(chosen)}
        list={list}
        maxLength={320}
        autocomplete="off"
      />
      <datalist id={list}>
        {options
          .filter(({ typed }) => typed !== true)
          .map((option) => (
            <option key={option.value} value={toText(option)}>
              {option.label}
            </option>
          ))}
      </datalist>
    </>
  );
}

/** A person by name, email address or id, which the domain resolves. Refuses any other text. */
export function personField(label: Words): FormField<string> {
  return {
    label: lazily(label),
    read(text) {
      const reference = toPersonReference(text).trim();
      const isId = reference.startsWith("usr_");
      const canBe = isId ? idKindOf(reference) === "user" : /^[^\p{Cc}]{1,254}$/u.test(reference);
      if (canBe) return reference;
      throw new Problem(t("{label}: choose one from the list.", { label: this.label() }));
    },
  };
}

/** Returns the id at the end of a suggested person's text, or the text itself. */
export function toPersonReference(text: string): string {
  return /\((usr_[0-9a-z]{12})\)\s*$/.exec(text)?.[1] ?? text;
}
