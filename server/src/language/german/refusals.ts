/** What refusals say, and how they quote and count. */
export const refusals = {
  "{words} or {last}": "{words} oder {last}",
  "{count, plural, one {# day} other {# days}}||ago":
    "{count, plural, one {# Tag} other {# Tagen}}",
  "{count, plural, one {# hour} other {# hours}}||ago":
    "{count, plural, one {# Stunde} other {# Stunden}}",
  "{count, plural, one {# minute} other {# minutes}}||ago":
    "{count, plural, one {# Minute} other {# Minuten}}",
  "{count, plural, one {# second} other {# seconds}}||ago":
    "{count, plural, one {# Sekunde} other {# Sekunden}}",

  // Photos and files
  "Choose a photo or a file first.": "Wählen Sie zuerst ein Foto oder eine Datei.",
  "{name} is larger than {max} MB. Nothing was stored. Send a smaller file, or a photo of lower resolution.":
    "{name} ist größer als {max} MB. Nichts wurde gespeichert. Senden Sie eine kleinere Datei oder ein Foto mit geringerer Auflösung.",
  "At most {max} files can be sent at once. Nothing was stored. Send the others after these.":
    "Höchstens {max} Dateien können auf einmal gesendet werden. Nichts wurde gespeichert. Senden Sie die übrigen danach.",
  "{name} is empty. Nothing was stored. Choose another file.":
    "{name} ist leer. Nichts wurde gespeichert. Wählen Sie eine andere Datei.",
  "{name} is of a kind that is not kept here. Nothing was stored. Kept are JPEG, PNG and WebP pictures, PDF, plain text, CSV, and documents of Word, Excel, PowerPoint and OpenDocument without macros.":
    "{name} hat ein Format, das hier nicht aufbewahrt wird. Nichts wurde gespeichert. Möglich sind Bilder als JPEG, PNG und WebP, PDF, reiner Text, CSV und Dokumente von Word, Excel, PowerPoint und OpenDocument ohne Makros.",
  "{name} is SVG, HTML or XML, which can carry programs. Nothing was stored. Send a picture as PNG, a document as PDF.":
    "{name} ist SVG, HTML oder XML und kann Programme enthalten. Nichts wurde gespeichert. Senden Sie ein Bild als PNG, ein Dokument als PDF.",
  "{name} is a HEIC photo, which this server cannot read. Nothing was stored. Send it as JPEG: on an iPhone, choose “Most compatible” under Settings > Camera > Formats.":
    "{name} ist ein HEIC-Foto, das dieser Server nicht lesen kann. Nichts wurde gespeichert. Senden Sie es als JPEG: Wählen Sie auf dem iPhone „Maximale Kompatibilität“ unter Einstellungen > Kamera > Formate.",
  "{name} cannot be read as a picture: it is damaged or incomplete. Nothing was stored. Take the photo once more, or send the original file.":
    "{name} lässt sich nicht als Bild lesen: Die Datei ist beschädigt oder unvollständig. Nichts wurde gespeichert. Nehmen Sie das Foto noch einmal auf oder senden Sie die Originaldatei.",
  "{name} is no photo. Nothing was stored. Send JPEG, PNG or WebP here.":
    "{name} ist kein Foto. Nichts wurde gespeichert. Senden Sie hier JPEG, PNG oder WebP.",
  "{name} has more than {max} million pixels. Nothing was stored. Send it in a lower resolution.":
    "{name} hat mehr als {max} Millionen Pixel. Nichts wurde gespeichert. Senden Sie es mit geringerer Auflösung.",
  "Too many pictures are being read at this moment. Nothing was stored. Try again in {seconds} seconds.":
    "Im Moment werden zu viele Bilder gelesen. Nichts wurde gespeichert. Versuchen Sie es in {seconds, plural, one {# Sekunde} other {# Sekunden}} noch einmal.",
  "More than {max} photos and files cannot be kept here. Nothing was stored. Delete some that are not needed any more.":
    "Mehr als {max} Fotos und Dateien können hier nicht aufbewahrt werden. Nichts wurde gespeichert. Löschen Sie einige, die nicht mehr gebraucht werden.",
  "The photos and files of the organization would take more than {max} MB. Nothing was stored. Delete some that are not needed, or ask whoever runs Fettle for more room.":
    "Die Fotos und Dateien der Organisation würden mehr als {max} MB belegen. Nichts wurde gespeichert. Löschen Sie einige, die nicht gebraucht werden, oder bitten Sie die Betreiber von Fettle um mehr Platz.",
  "There is no such file that you see. It may have been deleted, or be of something that you do not see.":
    "Eine solche Datei sehen Sie nicht. Vielleicht wurde sie gelöscht oder gehört zu etwas, das Sie nicht sehen.",
  "The storage of photos and files cannot be reached at the moment. Try again in {seconds} seconds.":
    "Der Speicher für Fotos und Dateien ist im Moment nicht erreichbar. Versuchen Sie es in {seconds, plural, one {# Sekunde} other {# Sekunden}} noch einmal.",

  // Label sheets
  "Too many label sheets are drawn at this moment, or drawing broke off. Try again in {seconds} seconds.":
    "Im Moment werden zu viele Etikettenbogen erzeugt, oder das Erzeugen brach ab. Versuchen Sie es in {seconds, plural, one {# Sekunde} other {# Sekunden}} noch einmal.",
  "{by} has decided on this report meanwhile. Nothing was changed.":
    "{by} hat inzwischen über diese Meldung entschieden. Nichts wurde geändert.",
  "{field}: no asset of this workspace is there. Write it as it stands with an asset, or leave it empty for all of the workspace.":
    "{field}: Dort ist keine Anlage dieses Arbeitsbereichs. Schreiben Sie es wie bei einer Anlage, oder lassen Sie es leer für den ganzen Arbeitsbereich.",
  "This round has {max} unknown codes already, so this one was not stored.":
    "Dieser Rundgang hat schon {max} unbekannte Codes, daher wurde dieser nicht gespeichert.",
  "{field}: choose open work on the asset, or another open report of it.":
    "{field}: Wählen Sie eine offene Aufgabe der Anlage oder eine andere offene Meldung zu ihr.",
  "There are no labels at this address. The link may have been cut off; copy the whole of it, or ask for the labels again.":
    "Unter dieser Adresse gibt es keine Etiketten. Vielleicht wurde der Link abgeschnitten: Kopieren Sie ihn ganz, oder fordern Sie die Etiketten neu an.",
  "This link to labels has expired, such links work for one hour. Ask for the labels again to get a new one.":
    "Dieser Link zu Etiketten ist abgelaufen, solche Links gelten eine Stunde. Fordern Sie die Etiketten neu an.",
  "The assets of this link have been permanently deleted, so there is nothing to print.":
    "Die Anlagen dieses Links wurden endgültig gelöscht, daher gibt es nichts zu drucken.",

  // Reports and rounds
  "There is no such report that you may decide on. It may have been deleted with its asset.":
    "Eine solche Meldung, über die Sie entscheiden dürfen, gibt es nicht. Vielleicht wurde sie mit ihrer Anlage gelöscht.",
  "The asset of this label is not there any more, so nothing was reported.":
    "Die Anlage dieses Etiketts gibt es nicht mehr, daher wurde nichts gemeldet.",
  "This asset is retired. Problems with it are not reported any more.":
    "Diese Anlage ist ausgemustert. Probleme mit ihr werden nicht mehr gemeldet.",
  "Many problems with this are reported already and wait for a decision. Nothing was stored. Somebody will look at them; ask at the place if it is urgent.":
    "Hierzu warten schon viele Meldungen auf eine Entscheidung. Nichts wurde gespeichert. Jemand wird sie ansehen; fragen Sie vor Ort, wenn es eilt.",
  "There is no such round that you see. It may have been deleted with its workspace.":
    "Einen solchen Rundgang sehen Sie nicht. Vielleicht wurde er mit seinem Arbeitsbereich gelöscht.",
  "This scan came before with another code and was not stored. Scan it once more.":
    "Dieser Scan kam schon mit einem anderen Code und wurde nicht gespeichert. Scannen Sie noch einmal.",
  "These scans were made by somebody else on this device, so nothing was stored. They wait until that person is signed in again.":
    "Diese Scans hat jemand anderes auf diesem Gerät gemacht, daher wurde nichts gespeichert. Sie warten, bis diese Person wieder angemeldet ist.",
} as const;
