import { t } from "../../language/translate.js";
import { quote } from "./quote.js";

export interface OfFile {
  field: string;
  name: string;
}

export interface Waiting {
  retry_after_seconds: number;
}

/** What refusals of photos, files, label sheets, problem reports and rounds say to every reader. */
export const fileTexts = {
  no_file: "Choose a photo or a file first.",
  upload_too_large: ({ name, max_mb: max }: OfFile & { max_mb: number }) =>
    t(
      "{name} is larger than {max} MB. Nothing was stored. Send a smaller file, or a photo of lower resolution.",
      { name: quote(name), max },
    ),
  too_many_sent: ({ max }: { field: string; max: number }) =>
    t("At most {max} files can be sent at once. Nothing was stored. Send the others after these.", {
      max,
    }),
  file_empty: ({ name }: OfFile) =>
    t("{name} is empty. Nothing was stored. Choose another file.", { name: quote(name) }),
  file_of_other_kind: ({ name }: OfFile) =>
    t(
      "{name} is of a kind that is not kept here. Nothing was stored. Kept are JPEG, PNG and WebP pictures, PDF, plain text, CSV, and documents of Word, Excel, PowerPoint and OpenDocument without macros.",
      { name: quote(name) },
    ),
  file_of_markup: ({ name }: OfFile) =>
    t(
      "{name} is SVG, HTML or XML, which can carry programs. Nothing was stored. Send a picture as PNG, a document as PDF.",
      { name: quote(name) },
    ),
  file_of_heic: ({ name }: OfFile) =>
    t(
      "{name} is a HEIC photo, which this server cannot read. Nothing was stored. Send it as JPEG: on an iPhone, choose “Most compatible” under Settings > Camera > Formats.",
      { name: quote(name) },
    ),
  picture_unreadable: ({ name }: OfFile) =>
    t(
      "{name} cannot be read as a picture: it is damaged or incomplete. Nothing was stored. Take the photo once more, or send the original file.",
      { name: quote(name) },
    ),
  no_picture: ({ name }: OfFile) =>
    t("{name} is no photo. Nothing was stored. Send JPEG, PNG or WebP here.", {
      name: quote(name),
    }),
  picture_too_large: ({ name, max_megapixels: max }: OfFile & { max_megapixels: number }) =>
    t(
      "{name} has more than {max} million pixels. Nothing was stored. Send it in a lower resolution.",
      { name: quote(name), max },
    ),
  pictures_busy: ({ retry_after_seconds: seconds }: Waiting) =>
    t(
      "Too many pictures are being read at this moment. Nothing was stored. Try again in {seconds} seconds.",
      { seconds },
    ),
  files_of_record_full: ({ max }: { field: string; max: number }) =>
    t(
      "More than {max} photos and files cannot be kept here. Nothing was stored. Delete some that are not needed any more.",
      { max },
    ),
  files_full: ({ max_mb: max }: { field: string; max_mb: number }) =>
    t(
      "The photos and files of the organization would take more than {max} MB. Nothing was stored. Delete some that are not needed, or ask whoever runs Fettle for more room.",
      { max },
    ),
  too_many_files:
    "There are too many photos and files here for one download. Ask whoever runs Fettle for all of it: the command is fettle organization export.",
  file_not_found:
    "There is no such file that you see. It may have been deleted, or be of something that you do not see.",
  files_away: ({ retry_after_seconds: seconds }: Waiting) =>
    t(
      "The storage of photos and files cannot be reached at the moment. Try again in {seconds} seconds.",
      { seconds },
    ),

  sheet_not_drawn: ({ retry_after_seconds: seconds }: Waiting) =>
    t(
      "Too many label sheets are drawn at this moment, or drawing broke off. Try again in {seconds} seconds.",
      { seconds },
    ),
  no_labels:
    "There are no labels at this address. The link may have been cut off; copy the whole of it, or ask for the labels again.",
  label_link_expired:
    "This link to labels has expired, such links work for one hour. Ask for the labels again to get a new one.",
  labels_of_deleted:
    "The assets of this link have been permanently deleted, or who made it does not see them any more, so there is nothing to print.",

  report_not_found:
    "There is no such report that you may decide on. It may have been deleted with its asset.",
  report_of_nothing: "The asset of this label is not there any more, so nothing was reported.",
  retired_without_reports: "This asset is retired. Problems with it are not reported any more.",
  too_many_reports:
    "Many problems with this are reported already and wait for a decision. Nothing was stored. Somebody will look at them; ask at the place if it is urgent.",
  report_closed: ({ by }: { by: string }) =>
    t("{by} has decided on this report meanwhile. Nothing was changed.", { by: quote(by) }),
  round_not_found:
    "There is no such round that you see. It may have been deleted with its workspace.",
  nothing_at_location: ({ field }: { field: string }) =>
    t(
      "{field}: no asset of this workspace is there. Write it as it stands with an asset, or leave it empty for all of the workspace.",
      { field },
    ),
  too_many_unknown: ({ max }: { max: number }) =>
    t("This round has {max} unknown codes already, so this one was not stored.", { max }),
  too_many_missing:
    "Rounds that ended within the last day miss several times as many assets as there are. Scan what is here, and end this round later.",
  scan_of_other_code:
    "This scan came before with another code and was not stored. Scan it once more.",
  scans_of_other_person:
    "These scans were made by somebody else on this device, so nothing was stored. They wait until that person is signed in again.",
  merged_into_nothing: ({ field }: { field: string }) =>
    t("{field}: choose open work on the asset, or another open report of it.", { field }),
};
