/** How one run of the suite ended; a failure that the baseline expects is a pass. */
export interface Outcome {
  name: string;
  passed: boolean;
  output: string;
}
