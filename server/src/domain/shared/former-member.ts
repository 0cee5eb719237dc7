/** The name of whoever was erased, wherever one is shown. */
export const formerMember = "Former member";
