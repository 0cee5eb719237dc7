import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Begins with what takes long, so that no worker is left with it when the others have finished. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) =>
      slowNames.findIndex((name) => moduleId.includes(name));
    return sorted.toSorted((one, other) => rankOf(other) - rankOf(one));
  }
}

/** Processes take longest, then browsers. */
const slowNames = [".pages.test.", "/e2e/"];
