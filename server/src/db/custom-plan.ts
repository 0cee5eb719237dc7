/**
 * Begins the text of a statement that is planned for its values at each call: by filters, counts and
 * sums, whose best plan depends on how much the organization has and how frequent it is there.
 * Planning takes about a millisecond, so reads of single things go without.
 */
export const customPlan = "/* custom plan */ ";
