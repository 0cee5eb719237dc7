import { assetStates } from "../../db/entities/assets.js";
import { taskStates } from "../../db/entities/tasks.js";
import { AppError } from "../../errors.js";
import { importFields, type ImportKind, type ImportWords } from "./import-kinds.js";

export function choicesOf(kind: ImportKind, name: string): readonly string[] {
  if (name === "workspace_role") return ["admin", "member", "viewer"];
  if (name === "organization_role") return ["owner", "admin", "member"];
  if (name !== "state") return importFields[kind][name]?.values ?? [];
  return kind === "assets" ? assetStates : taskStates;
}

/**
 * Words that other programs and people use for choices. Ambiguous words are resolved by their
 * field.
 */
const otherWords: Record<string, readonly string[]> = {
  deleted: ["retired", "archived", "disposed", "inactive", "scrapped", "entsorgt", "verschrottet"],
  available: ["ready_to_deploy", "deployable", "in_stock", "ready", "frei", "auf_lager", "bereit"],
  in_use: [
    ...["deployed", "in_custody", "checked_out", "operational", "in_service", "running", "active"],
    ...["in_betrieb", "in_gebrauch", "aktiv", "im_einsatz"],
  ],
  in_maintenance: ["out_for_repair", "maintenance", "in_repair", "in_reparatur"],
  out_of_service: ["out_of_order", "down", "broken", "defective", "defekt", "kaputt", "gesperrt"],
  stored: ["standby", "storage", "in_storage", "im_lager"],
  scheduled: ["open", "pending", "overdue", "offen"],
  in_progress: ["started", "in_bearbeitung", "begonnen"],
  on_hold: ["paused", "waiting", "pausiert", "wartet"],
  completed: ["complete", "done", "closed", "fertig", "abgeschlossen"],
  cancelled: ["canceled", "abgebrochen", "storniert"],
  low: ["none", "minor", "gering", "unkritisch"],
  medium: ["normal", "moderate", "average", "mittlere"],
  high: ["major", "important", "wichtig"],
  urgent: ["critical", "highest", "dringend"],
  critical: ["very_high", "highest", "sehr_hoch"],
  excellent: ["new", "like_new", "very_good", "neu", "neuwertig", "sehr_gut", "hervorragend"],
  good: ["ok", "okay", "fine", "in_ordnung"],
  fair: ["average", "medium", "acceptable", "used", "mittel", "mässig", "gebraucht", "ausreichend"],
  poor: ["bad", "worn", "mangelhaft", "abgenutzt"],
  failed: ["broken", "defective", "defekt", "kaputt"],
};

/** French words, and the forms that go with other nouns than on the pages. */
const frenchWords: Record<string, readonly string[]> = {
  deleted: ["réformée", "archivé", "éliminé", "mis_au_rebut", "sorti"],
  available: ["libre", "prêt"],
  in_use: ["utilisé", "en_marche", "en_fonctionnement", "actif", "affecté"],
  in_maintenance: ["en_réparation", "en_entretien"],
  out_of_service: ["en_panne", "arrêté", "bloqué", "défectueux"],
  stored: ["stocké", "entreposé"],
  scheduled: ["planifié", "ouvert", "ouverte", "à_faire", "prévu"],
  in_progress: ["commencé", "démarré"],
  on_hold: ["suspendu", "en_pause"],
  completed: ["terminé", "fait", "clôturé", "réalisé"],
  cancelled: ["annulé", "abandonné"],
  low: ["bas", "basse", "mineure"],
  medium: ["moyen", "normal", "normale"],
  high: ["élevé", "haut", "haute", "importante"],
  urgent: ["très_urgent"],
  critical: ["très_élevée"],
  excellent: ["neuf", "très_bon"],
  good: ["correct"],
  fair: ["usagé", "passable"],
  poor: ["médiocre", "usé", "dégradé"],
  failed: ["en_panne", "défectueux"],
};

/** Spanish words, and the other gender of those on the pages. */
const spanishWords: Record<string, readonly string[]> = {
  deleted: ["baja", "retirado", "archivado", "desguazado", "inactivo"],
  available: ["libre", "listo"],
  in_use: ["operativo", "en_servicio", "en_marcha", "activo"],
  in_maintenance: ["en_reparación", "en_revisión"],
  out_of_service: ["averiado", "parado", "bloqueado", "defectuoso"],
  stored: ["en_almacén", "almacenada"],
  scheduled: ["abierta", "abierto", "pendiente", "planificada"],
  in_progress: ["iniciada", "empezada", "en_proceso"],
  on_hold: ["pausada", "en_pausa", "suspendida"],
  completed: ["hecha", "hecho", "cerrada", "terminada", "finalizada"],
  cancelled: ["cancelado", "anulada"],
  low: ["bajo", "leve", "menor"],
  medium: ["medio", "moderada"],
  high: ["alto", "importante"],
  urgent: ["crítica", "muy_alta"],
  critical: ["crítico", "muy_alta"],
  excellent: ["nuevo", "nueva", "como_nuevo", "muy_bueno", "muy_buena"],
  good: ["bueno", "correcto"],
  fair: ["usado", "aceptable"],
  poor: ["malo", "gastado", "deficiente"],
  failed: ["averiada", "roto", "defectuoso"],
};

const valuesByWord = new Map<string, string[]>();
for (const [value, words] of [otherWords, frenchWords, spanishWords].flatMap((words) =>
  Object.entries(words),
)) {
  for (const word of words) valuesByWord.set(word, [...(valuesByWord.get(word) ?? []), value]);
}

export function toWord(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[\s_-]+/g, "_");
}

/**
 * Returns the value for its name, for its label on the pages in any language, or for another known
 * word.
 */
export function readChoice(
  kind: ImportKind,
  { name, text }: { name: string; text: string },
  words: ImportWords,
): string {
  const choices = choicesOf(kind, name);
  const found = findChoice(choices, { name, text }, words);
  if (found !== undefined) return found;
  throw new AppError("validation_failed", "choice_not_understood", { field: name, text, choices });
}

export function isChoice(
  kind: ImportKind,
  { name, text }: { name: string; text: string },
  words: ImportWords,
): boolean {
  return findChoice(choicesOf(kind, name), { name, text }, words) !== undefined;
}

function findChoice(
  choices: readonly string[],
  { name, text }: { name: string; text: string },
  words: ImportWords,
): string | undefined {
  const word = toWord(text);
  const possible = [
    word,
    ...(words.valuesOf(name).get(word) ?? []),
    ...(valuesByWord.get(word) ?? []),
  ];
  return possible.find((one) => choices.includes(one));
}
