import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Starts slow files first, so none is left for one worker at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) =>
      slowNames.findIndex((name) => moduleId.includes(name));
    return sorted.toSorted((one, other) => rankOf(other) - rankOf(one));
  }
}

/** The matrix takes longest, then tests with processes, then those with browsers. */
const slowNames = [".pages.test.", "/e2e/", "/matrix/"];
