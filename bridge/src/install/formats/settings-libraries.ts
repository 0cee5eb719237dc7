// What reads and writes settings files, by the names in use so that the build can leave out the rest.
export { createTwoFilesPatch } from "diff";
export {
  createScanner,
  findNodeAtLocation,
  parse as parseJsonc,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
export { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
export { Document, isMap, isScalar, LineCounter, parseDocument } from "yaml";
