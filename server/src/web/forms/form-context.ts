import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { FormError } from "../layout/error-summary.js";
import type { FormField } from "./form-fields.js";

/** An asset that a text may mean. */
export interface FoundAsset {
  inventory_number: string;
  name: string;
}

/** What the controls of a form show unless they are told something else. */
export interface FormState {
  /** Texts by field name. */
  values: Readonly<Partial<Record<string, string>>>;
  errors: readonly FormError[];
  /** The declared fields, for what stands above them and whether they must be filled in. */
  fields: Readonly<Record<string, FormField<unknown>>>;
  /** The reading of the record that the form is made on. */
  shownVersion: number | undefined;
  /** Whether that record has changed since. */
  isStale: boolean;
  /** What the texts of fields that name an asset may mean, by field name. */
  found: Readonly<Partial<Record<string, readonly FoundAsset[]>>>;
  /** Whether the form carries a key, so that it creates once however often it is sent. */
  isKeyed: boolean;
}

/** Provided by `formRoute`. */
export const FormContext = createContext<FormState>({
  values: {},
  errors: [],
  fields: {},
  shownVersion: undefined,
  isStale: false,
  found: {},
  isKeyed: false,
});

export function useForm(): FormState {
  return useContext(FormContext);
}
