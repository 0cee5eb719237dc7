import type { VNode } from "preact";
import { idKindOf } from "../../domain/shared/ids.js";
import { lazily, t, type Words } from "../../language/translate.js";
import { Problem, type FormField } from "./form-fields.js";

/** One of a list. */
export interface Choice {
  value: string;
  label: string;
  /** It stands for all others: there are too many of them to choose from, so a name is typed. */
  typed?: true;
}

export function isTyped(options: readonly Choice[]): boolean {
  return options.some(({ typed }) => typed === true);
}

/** Some of very many people to choose from while typing; what names one of the list ends with the id. */
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

/** A person by name, email address or id, which the domain finds; what can be none of these is refused here. */
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

/** What was chosen of a list of people to type from ends with the id. */
export function toPersonReference(text: string): string {
  return /\((usr_[0-9a-z]{12})\)\s*$/.exec(text)?.[1] ?? text;
}
