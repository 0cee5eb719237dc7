import type { Reporter, TestSpecification, Vitest } from "vitest/node";

/** Measured on two cores with all tests running. Only for a rough estimate of the duration. */
const secondsPerFile = 1.8;
const progressEvery = 20;

/** Prints the size and estimated duration of a run, and its progress now and then. */
export class ProgressReporter implements Reporter {
  private log: (line: string) => void = () => undefined;
  private files = 0;
  private done = 0;

  onInit(vitest: Vitest): void {
    this.log = (line) => {
      vitest.logger.log(line);
    };
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.files = specifications.length;
    this.done = 0;
    const minutes = Math.ceil((this.files * secondsPerFile) / 60);
    const time = minutes < 2 ? "a minute" : `${minutes} minutes`;
    this.log(`${this.files} test files on ${nameDatabase()}, about ${time} on two cores.\n`);
  }

  onTestModuleEnd(): void {
    this.done += 1;
    if (this.done % progressEvery === 0) this.log(`   ${this.done} of ${this.files} files done`);
  }
}

function nameDatabase(): string {
  const url = process.env["TEST_DATABASE_URL"];
  if (url === undefined) return "the embedded database (TEST_DATABASE_URL is not set)";
  return `PostgreSQL at ${new URL(url).host}`;
}
