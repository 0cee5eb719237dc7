declare const bridgeVersion: string | undefined;

/** Put in by bundle.mjs from package.json; sources that run without a bundle have none. */
export const version = typeof bridgeVersion === "undefined" ? "0.0.0" : bridgeVersion;
