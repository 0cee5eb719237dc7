/** Shown for a person whose data was erased. */
export const formerMember = "Former member";
