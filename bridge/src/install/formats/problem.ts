/** Why a settings file is left as it is, as the end of a sentence about it. */
export class SettingsProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SettingsProblem";
  }
}
