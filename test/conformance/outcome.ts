/** The result of one run of the suite. An expected failure in the baseline is a pass. */
export interface Outcome {
  name: string;
  passed: boolean;
  output: string;
}
