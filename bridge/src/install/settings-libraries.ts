// What reads and writes settings files, by the names in use so that the build can leave out the rest.
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
