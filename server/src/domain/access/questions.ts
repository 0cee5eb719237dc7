import { t } from "../../language/translate.js";
import { quote, quoteNumber } from "../shared/quote.js";

/** A question for a person. The client's form and our page word it for their readers. */
export type Asked =
  | {
      about: "asset";
      name: string;
      number: string;
      tasks: number;
      history: number;
      files: number;
    }
  | { about: "workspace" | "person"; name: string }
  /** Used only in client forms: "Change 27 assets?" */
  | { about: "several"; words: string };

export function wordQuestion(asked: Asked): string {
  switch (asked.about) {
    case "asset":
      return t(
        "Permanently delete {name} ({number})? This can't be undone. Tasks lost: {tasks}. History entries lost: {history}. Photos and files lost: {files}.",
        { ...asked, name: quote(asked.name), number: quoteNumber(asked.number) },
      );
    case "workspace":
      return t("Delete the workspace {name}?", { name: quote(asked.name) });
    case "person":
      return t("Remove {name} from the organization and disconnect their apps?", {
        name: quote(asked.name),
      });
    case "several":
      return asked.words;
  }
}
