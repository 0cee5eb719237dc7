import { t } from "../../language/translate.js";
import { quote } from "./quote.js";

export interface OfFile {
  field: string;
  name: string;
}

export interface Waiting {
  retry_after_seconds: number;
}

export const fileTexts = {
  no_file: "Choose a photo or file first.",
  upload_too_large: ({ name, max_mb: max }: OfFile & { max_mb: number }) =>
    t(
      "{name} is larger than {max} MB. Nothing was saved. Send a smaller file, or a photo of lower resolution.",
      { name: quote(name), max },
    ),
  too_many_sent: ({ max }: { field: string; max: number }) =>
    t("Send at most {max} files at once. Nothing was saved. Send the rest afterwards.", {
      max,
    }),
  file_empty: ({ name }: OfFile) =>
    t("{name} is empty. Nothing was saved. Choose another file.", { name: quote(name) }),
  file_of_other_kind: ({ name }: OfFile) =>
    t(
      "{name} has a file type you can't store here. Nothing was saved. You can store JPEG, PNG and WebP pictures, PDF, plain text, CSV, and Word, Excel, PowerPoint and OpenDocument files without macros.",
      { name: quote(name) },
    ),
  file_of_markup: ({ name }: OfFile) =>
    t(
      "{name} is SVG, HTML or XML, which can contain scripts. Nothing was saved. Send pictures as PNG and documents as PDF.",
      { name: quote(name) },
    ),
  file_of_heic: ({ name }: OfFile) =>
    t(
      "{name} is a HEIC photo, which this server can't read. Nothing was saved. Send it as JPEG: on an iPhone, choose “Most compatible” under Settings > Camera > Formats.",
      { name: quote(name) },
    ),
  picture_unreadable: ({ name }: OfFile) =>
    t(
      "{name} can't be read as a picture: it's damaged or incomplete. Nothing was saved. Take the photo again, or send the original file.",
      { name: quote(name) },
    ),
  no_picture: ({ name }: OfFile) =>
    t("{name} isn't a photo. Nothing was saved. Send JPEG, PNG or WebP here.", {
      name: quote(name),
    }),
  picture_too_large: ({ name, max_megapixels: max }: OfFile & { max_megapixels: number }) =>
    t(
      "{name} has more than {max} million pixels. Nothing was saved. Send it in a lower resolution.",
      { name: quote(name), max },
    ),
  pictures_busy: ({ retry_after_seconds: seconds }: Waiting) =>
    t(
      "Too many pictures are being processed right now. Nothing was saved. Try again in {seconds} seconds.",
      { seconds },
    ),
  files_of_record_full: ({ max }: { field: string; max: number }) =>
    t(
      "You can store at most {max} photos and files here. Nothing was saved. Delete some you no longer need.",
      { max },
    ),
  files_full: ({ max_mb: max }: { field: string; max_mb: number }) =>
    t(
      "The organization's photos and files would exceed {max} MB. Nothing was saved. Delete some, or ask the server's administrator for more space.",
      { max },
    ),
  too_many_files:
    "There are too many photos and files for one download. Ask the server's administrator to run fettle organization export.",
  file_not_found:
    "We can't find that file. It may have been deleted, or you don't have access to it.",
  comment_not_found:
    "We can't find that comment. It may have been removed, or you don't have access to it.",
  comment_of_other: "You can edit only your own comments. Its author or an admin can remove it.",
  files_away: ({ retry_after_seconds: seconds }: Waiting) =>
    t("Photo and file storage can't be reached right now. Try again in {seconds} seconds.", {
      seconds,
    }),

  sheet_not_drawn: ({ retry_after_seconds: seconds }: Waiting) =>
    t(
      "Too many label sheets are being created right now, or creating one failed. Try again in {seconds} seconds.",
      { seconds },
    ),
  no_labels:
    "No labels at this address. The link may be cut off: copy all of it, or request the labels again.",
  label_link_expired:
    "This label link has expired. Label links work for one hour. Request the labels again to get a new one.",
  labels_of_deleted:
    "Nothing to print: these assets were permanently deleted, or the person who created the link can no longer see them.",

  place_label_not_found: "We can't find that place label. It may have been revoked.",
  task_link_not_found: "We can't find that link. It may have been deleted with its task.",
  task_link_of_closed: ({ task_number: number }: { task_number: string }) =>
    t("{number} is closed, so you can't share it. Reopen it first.", { number }),
  too_many_task_links: ({ max }: { max: number }) =>
    t("A task can have at most {max} active contractor links. Revoke one first.", { max }),
  too_many_task_link_mails: ({ field }: { field: string }) =>
    t("{field}: too many links were emailed. Leave it blank and send the address yourself.", {
      field,
    }),
  task_link_task_closed: "This job was closed in the meantime, so nothing was saved.",
  report_not_found:
    "We can't find that report, or you can't review it. It may have been deleted with its asset.",
  report_of_nothing: "This label is no longer in use, so nothing was reported.",
  retired_without_reports: "This asset is retired. You can no longer report problems with it.",
  too_many_reports:
    "Many reports from this label are waiting for review, so yours wasn't saved. If it's urgent, ask on site.",
  report_closed: ({ by }: { by: string }) =>
    t("{by} has already reviewed this report. Nothing was changed.", { by: quote(by) }),
  round_not_found: "We can't find that round. It may have been deleted with its workspace.",
  nothing_at_location: ({ field }: { field: string }) =>
    t(
      "{field}: no asset in this workspace has that location. Use an asset's location, or leave it blank for the whole workspace.",
      { field },
    ),
  too_many_unknown: ({ max }: { max: number }) =>
    t("This round already has {max} unknown codes, so this one wasn't saved.", { max }),
  too_many_missing:
    "Recent rounds in the last day list more missing assets than this workspace has. Scan what's here, and end this round later.",
  scan_of_other_code:
    "This scan was already sent with another code, so it wasn't saved. Scan again.",
  scans_of_other_person:
    "Someone else made these scans on this device, so nothing was saved. They sync when that person signs in again.",
  merged_into_nothing: ({ field }: { field: string }) =>
    t("{field}: choose open work on the asset, or another open report on it.", { field }),
};
