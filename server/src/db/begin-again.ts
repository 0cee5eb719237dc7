/** Thrown within a change that did not go on, because another one came first. */
export class BeginAgain extends Error {}
