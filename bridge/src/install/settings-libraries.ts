// Libraries for settings files. Named exports let the build drop the rest.
export { createTwoFilesPatch } from "diff";
export {
  applyEdits,
  createScanner,
  findNodeAtLocation,
  modify,
  parse as parseJsonc,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
export { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
export { isMap, LineCounter, parseDocument } from "yaml";
