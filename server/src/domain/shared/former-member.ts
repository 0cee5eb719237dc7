export const formerMember = "Former member";
