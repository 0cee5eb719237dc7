import type { VNode } from "preact";

/** Kinds of assets, guessed from the category or name. */
type AssetKind = keyof typeof kindShapes;

/** Line drawings on a 24 × 24 grid. */
export const kindShapes = {
  airflow: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 12c0-3 .5-5.5-2-6-2 .8-1.5 4 2 6Zm0 0c3 0 5.5.5 6-2-.8-2-4-1.5-6 2Zm0 0c0 3-.5 5.5 2 6 2-.8 1.5-4-2-6Zm0 0c-3 0-5.5-.5-6 2 .8 2 4 1.5 6-2Z" />
    </>
  ),
  vehicle: (
    <>
      <path d="M5 16H3V7h10v9H9m4-6h4l4 3.5V16h-2m-4 0h-2" />
      <circle cx="7" cy="16.5" r="2" />
      <circle cx="17" cy="16.5" r="2" />
    </>
  ),
  lift: (
    <>
      <rect x="5" y="3" width="14" height="18" rx="1.5" />
      <path d="m9 10.5 3-3 3 3m-6 3 3 3 3-3" />
    </>
  ),
  extinguisher: (
    <path d="M9 21V11a3 3 0 0 1 6 0v10Zm0-7h6m-3-6V5M8 5h7l4-1.5M9.5 5C6.5 5.5 5 8 5 11" />
  ),
  defibrillator: (
    <path d="M12 20S4 15 4 9.3A4.2 4.2 0 0 1 12 7.4a4.2 4.2 0 0 1 8 1.9C20 15 12 20 12 20Zm.8-10.5-2.2 3.3h2.8l-2.2 3.2" />
  ),
  boiler: (
    <>
      <rect x="5.5" y="3" width="13" height="18" rx="2" />
      <path d="M12.2 8.5c1.8 1.7 2.8 3 2.8 4.9a3 3 0 0 1-6 0c0-1.2.6-2 1.3-2.7.2.8.6 1.2 1.1 1.3.7-1 .3-2.2.8-3.5ZM9 19h6" />
    </>
  ),
  pump: (
    <>
      <circle cx="10" cy="13" r="6" />
      <circle cx="10" cy="13" r="1.8" />
      <path d="M10 7h10v4h-4.4M5 21h10" />
    </>
  ),
  power: (
    <>
      <rect x="3" y="6.5" width="18" height="12.5" rx="2" />
      <path d="m13 9-3.4 4h4.8L11 17M7 6.5V4m10 2.5V4" />
    </>
  ),
  network: (
    <>
      <rect x="3" y="13.5" width="18" height="6" rx="1.5" />
      <path d="M7 16.5h.01m3.99 0h.01M12 13.5V10M8.5 7.5a5 5 0 0 1 7 0M6 5a8.5 8.5 0 0 1 12 0" />
    </>
  ),
  printer: <path d="M7 8V3.5h10V8M7 16H3V8h18v8h-4M7 13h10v7.5H7Z" />,
  computer: (
    <>
      <rect x="5" y="5" width="14" height="10" rx="1.5" />
      <path d="M2.5 19h19" />
    </>
  ),
  door: <path d="M6 21V4.5A1.5 1.5 0 0 1 7.5 3h9A1.5 1.5 0 0 1 18 4.5V21M3.5 21h17m-6-9v1.5" />,
  furniture: <path d="M7 12V3h10v9M5.5 12h13v4h-13Zm1.5 4v5m10-5v5" />,
  tool: (
    <path d="m20 20-9.3-9.3m.7-2.5a4.2 4.2 0 0 0-5.3-5.3l2.4 2.5-.7 2.5-2.5.7-2.4-2.4a4.2 4.2 0 0 0 5.3 5.2" />
  ),
  building: <path d="M5 21V4h9v17m0-11h5v11M3 21h18M8 8h3m-3 4h3m-3 4h3" />,
  other: <path d="m4 8 8-4 8 4v8l-8 4-8-4Zm0 0 8 4 8-4m-8 4v8" />,
} satisfies Record<string, VNode>;

/** Words of English, German, French and Spanish. The first match counts. */
const kindWords: readonly (readonly [AssetKind, RegExp])[] = [
  [
    "airflow",
    /air (?:handl|condit)|heat pump|hvac|ventil|\bfans?\b|rooftop|chiller|cooling|refriger|fridge|freezer|lüft|klima|kühl|kälte|wärmepump|climatis|climatiz|pompe à chaleur|froid|frigo|congél|bomba de calor|aire acond|frío/,
  ],
  [
    "vehicle",
    /vehicle|\bvans?\b|\bcars?\b|truck|lorr(?:y|ies)|trailer|\bbikes?\b|forklift|fahrzeug|stapler|\bautos?\b|\b[lp]kw\b|anhänger|fahrrad|véhicule|voiture|camion|chariot|\bvélos?\b|vehículo|\bcoches?\b|furgon|carretilla|bicicleta/,
  ],
  [
    "lift",
    /\blifts?\b|elevator|escalator|hoist|\bcranes?\b|aufz[uü]g|fahrstuhl|rolltreppe|hebebühne|\bkr[aä]ne?\b|ascenseur|monte-charge|\bgrues?\b|ascensor|montacargas|\bgrúas?\b/,
  ],
  ["extinguisher", /extinguish|feuerlösch|löscher|extincteur|extintor/],
  ["defibrillator", /de(?:s)?fib|défib|\baeds?\b/],
  ["boiler", /boiler|heat(?:er|ing)|heiz|kessel|brenner|chaudi|chauff|caldera|calefac|calentador/],
  ["pump", /pump|compressor|kompressor|pompe|compresseur|bomba|compresor/],
  [
    "power",
    /generator|\bups\b|batter|transformer|solar|photovolt|electric|notstrom|\busv\b|trafo|elektr|générat|groupe électrogène|onduleur|électri|transformador|eléctric|generador/,
  ],
  [
    "network",
    /network|switch|router|server|firewall|access point|\bracks?\b|wi-?fi|\bwlan\b|netzwerk|réseau|serveur|\bred(?:es)?\b|servidor/,
  ],
  ["printer", /printer|copier|scanner|plotter|drucker|kopier|imprimante|impresora|escáner/],
  [
    "computer",
    /laptop|notebook|computer|\bpcs?\b|monitor|screen|display|tablet|phone|projector|rechner|bildschirm|beamer|telefon|ordinateur|\bportables?\b|écran|portátil|ordenador|pantalla|proyector|teléfono/,
  ],
  [
    "door",
    /\bdoors?\b|\bgates?\b|barrier|\btür(?:en)?\b|[a-z]tür(?:en)?\b|\btore?\b|(?:roll|schiebe|sektional|garagen|hallen)tore?\b|schranken?\b|\bportes?\b|portail|barrière|puerta|portón/,
  ],
  [
    "furniture",
    /furniture|chair|\bdesks?\b|\btables?\b|cabinet|shel(?:f|ves)|\bbeds?\b|sofa|möbel|st[uü]hle?\b|\btische?\b|[a-z]tische?\b|schr[aä]nke?\b|regal|\bbetten\b|mobilier|meuble|bureau|chaise|étagère|mueble|mobiliario|\bsillas?\b|\bmesas?\b|escritorio/,
  ],
  [
    "tool",
    /tool|drill|\bsaws?\b|ladder|machine|lathe|werkzeug|bohr|säge|leitern?\b|maschine|outil|échelle|perceuse|herramienta|taladro|escalera|máquina/,
  ],
  [
    "building",
    /building|\broofs?\b|\brooms?\b|gebäude|dach|\braum\b|räume|bâtiment|toit|edificio|tejado/,
  ],
];

/** The category decides. Without a telling one, the name does. */
export function toKind(category: string | null, name: string): AssetKind {
  return find(category ?? "") ?? find(name) ?? "other";
}

function find(words: string): AssetKind | undefined {
  const lower = words.toLowerCase();
  return kindWords.find(([, pattern]) => pattern.test(lower))?.[0];
}
