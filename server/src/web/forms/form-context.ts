import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { FormError } from "../layout/error-summary.js";
import type { FormField } from "./form-fields.js";

export interface FoundAsset {
  inventory_number: string;
  name: string;
}

export interface FormState {
  /** Texts by field name. */
  values: Readonly<Partial<Record<string, string>>>;
  errors: readonly FormError[];
  /** The declared fields, for their labels and required marks. */
  fields: Readonly<Record<string, FormField<unknown>>>;
  /** The version of the record that the form is based on. */
  shownVersion: number | undefined;
  /** True if the record has changed since that version. */
  isStale: boolean;
  /** Candidate assets for each asset field. */
  found: Readonly<Partial<Record<string, readonly FoundAsset[]>>>;
  /** True if the form has an idempotency key, so it creates only once. */
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
