/** One drawing for each kind of asset, as SVG in a box of 400 by 300. */

const steel = "#8d979f";
const dark = "#2f363d";
const glass = "#b9d3dc";

/** The wall and floor behind a drawing, with light from the upper left. */
export function room(scene: string): string {
  return `<defs>
<linearGradient id="wall" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#eef1ee"/><stop offset="1" stop-color="#c9d1cf"/></linearGradient>
<linearGradient id="floor" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#a9aca6"/><stop offset="1" stop-color="#8b8f8a"/></linearGradient>
<linearGradient id="shine" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".38"/><stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".22"/></linearGradient>
</defs><rect width="400" height="300" fill="url(#wall)"/><rect y="232" width="400" height="68" fill="url(#floor)"/>
<ellipse cx="205" cy="256" rx="150" ry="13" fill="#000" opacity=".18"/>${scene}<rect width="400" height="300" fill="url(#shine)" opacity=".55"/>`;
}

/** Scenes of photos before and after a repair. */
export const before = `<ellipse cx="250" cy="268" rx="74" ry="14" fill="#3c2f1e" opacity=".62"/><path d="M212 186q10 34-2 74" stroke="#3c2f1e" stroke-width="5" fill="none" opacity=".6"/><g transform="translate(322 40)"><path d="M28 0 56 48H0z" fill="#e0a800"/><path d="M26 16h4l-1 18h-2zM26 38h4v4h-4z" fill="#222"/></g>`;
export const after = `<g transform="translate(318 36)"><circle cx="30" cy="30" r="28" fill="#2e7d32"/><path d="M17 31l9 9 18-20" stroke="#fff" stroke-width="6" fill="none"/></g>`;

const wheel = (x: number, y: number, r: number) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="#22262a"/><circle cx="${x}" cy="${y}" r="${r * 0.48}" fill="${steel}"/>`;
const box = (x: number, y: number, w: number, h: number, fill: string, r = 4) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}" fill="${fill}"/>`;
const row = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join("");

export const scenes: Record<string, string> = {
  Generators:
    box(286, 56, 18, 70, steel) +
    box(280, 50, 30, 8, dark) +
    box(62, 112, 280, 122, "#d79a2b", 8) +
    box(80, 132, 104, 82, dark) +
    row(6, (i) => box(86, 140 + i * 12, 92, 5, "#4a525a", 2)) +
    box(214, 132, 104, 44, "#efe6cf") +
    row(
      3,
      (i) =>
        `<circle cx="${234 + i * 20}" cy="154" r="6" fill="${["#c0392b", "#e0a800", "#2e7d32"][i] ?? ""}"/>`,
    ) +
    box(54, 234, 296, 14, dark),
  Boilers:
    `<path d="M330 74h60v20h-60zM10 196h110v18H10z" fill="${steel}"/>` +
    box(116, 58, 168, 188, "#b3473a", 18) +
    box(140, 82, 120, 40, "#f2ece2") +
    `<circle cx="200" cy="102" r="15" fill="#fff" stroke="${dark}" stroke-width="3"/><path d="M200 102l9-8" stroke="#b3261e" stroke-width="3"/>` +
    box(150, 146, 100, 74, dark, 8) +
    `<path d="M200 160q24 22 0 48q-24-22 0-48" fill="#f39c34"/><path d="M200 180q10 12 0 26q-10-12 0-26" fill="#ffe08a"/>` +
    box(276, 78, 70, 14, steel),
  UPS:
    box(128, 38, 144, 212, "#30363c", 6) +
    box(140, 50, 120, 44, "#11181d") +
    `<path d="M150 78h22l8-18 12 30 10-20h46" stroke="#5cc4a8" stroke-width="3" fill="none"/>` +
    row(
      5,
      (i) =>
        box(140, 106 + i * 26, 120, 18, "#4b535b", 2) +
        `<circle cx="250" cy="${115 + i * 26}" r="3" fill="#5cd07a"/>`,
    ),
  Lifts:
    box(96, 30, 208, 220, "#6d767e", 3) +
    box(112, 58, 176, 192, "#cfd5d9", 2) +
    `<path d="M200 58v192" stroke="${dark}" stroke-width="3"/>` +
    row(2, (i) => box(122 + i * 88, 68, 68, 182, i === 0 ? "#bcc4ca" : "#aeb7be", 1)) +
    box(176, 36, 48, 17, "#161b1f") +
    `<path d="M190 49l7-9 7 9z" fill="#f39c34"/>` +
    box(318, 130, 26, 56, "#eceff0") +
    `<circle cx="331" cy="147" r="6" fill="#1f6f5c"/><circle cx="331" cy="169" r="6" fill="${steel}"/>`,
  "Air handling units":
    box(40, 92, 320, 140, "#b9c2c8", 4) +
    row(3, (i) => box(50 + i * 104, 102, 94, 120, ["#a7b1b8", "#cdd5d9", "#a7b1b8"][i] ?? "", 3)) +
    `<circle cx="97" cy="162" r="38" fill="${dark}"/><path d="M97 162l-8-32q22-4 8 32l30-10q4 24-30 10l8 32q-22 4-8-32l-30 10q-4-24 30-10" fill="${steel}"/>` +
    row(8, (i) => `<path d="M${166 + i * 10} 112v100" stroke="#7f98a6" stroke-width="4"/>`) +
    box(270, 140, 70, 14, "#1f6f5c") +
    box(52, 232, 296, 12, dark) +
    box(150, 40, 90, 52, "#ccd3d6", 2),
  "Rooftop units":
    `<rect width="400" height="150" fill="#bcd7e6"/><path d="M0 150V120h60V96h70v40h90v-26h60v34h120v6z" fill="#9db4be"/>` +
    box(70, 124, 260, 116, "#e4e7e6", 5) +
    row(
      2,
      (i) =>
        `<circle cx="${140 + i * 104}" cy="180" r="42" fill="#59646c"/><circle cx="${140 + i * 104}" cy="180" r="36" fill="${dark}"/><path d="M${140 + i * 104} 146v68M${106 + i * 104} 180h68M${116 + i * 104} 156l48 48M${164 + i * 104} 156l-48 48" stroke="${steel}" stroke-width="3"/>`,
    ) +
    box(290, 136, 30, 90, "#cbd0cf") +
    box(62, 240, 276, 10, dark),
  Compressors:
    `<rect x="52" y="150" width="296" height="84" rx="42" fill="#2f6ea8"/><path d="M94 150v84M306 150v84" stroke="#245685" stroke-width="3"/>` +
    box(96, 72, 110, 78, dark, 8) +
    row(5, (i) => box(104, 82 + i * 12, 94, 5, "#555e66", 2)) +
    `<circle cx="262" cy="112" r="38" fill="#e7eaec"/><circle cx="262" cy="112" r="30" fill="${steel}"/><path d="M206 90h56M206 134h56" stroke="#22262a" stroke-width="5"/>` +
    box(84, 232, 24, 18, dark) +
    box(292, 232, 24, 18, dark) +
    `<circle cx="338" cy="132" r="13" fill="#fff" stroke="${dark}" stroke-width="3"/>`,
  Pumps:
    `<path d="M0 160h118v34H0zM282 160h118v34H282z" fill="${steel}"/>` +
    box(108, 148, 16, 58, "#6d767e", 2) +
    box(276, 148, 16, 58, "#6d767e", 2) +
    `<circle cx="178" cy="178" r="62" fill="#1f6f8c"/><circle cx="178" cy="178" r="30" fill="#174f64"/><circle cx="178" cy="178" r="10" fill="${steel}"/>` +
    box(206, 92, 92, 70, "#1f6f8c", 10) +
    row(6, (i) => box(214 + i * 13, 100, 6, 54, "#174f64", 2)) +
    box(120, 236, 170, 12, dark),
  Vans:
    `<path d="M44 214V118q0-16 16-16h190q10 0 18 10l38 46 38 12q14 4 14 20v24z" fill="#f5f7f7"/><path d="M252 116l36 44h-58v-44z" fill="${glass}"/><path d="M44 176h314v14H44z" fill="#1f6f5c"/><path d="M230 112v102" stroke="#c3c9ca" stroke-width="2"/>` +
    wheel(112, 222, 29) +
    wheel(298, 222, 29) +
    box(344, 188, 14, 10, "#f3c13a", 3) +
    `<text x="70" y="158" font-family="sans-serif" font-size="22" font-weight="700" fill="#1f6f5c">NORTHGATE</text>`,
  Forklifts:
    `<path d="M150 210v-60h40l18-72h70v50l24 14v68z" fill="#e2762a"/><path d="M196 140l14-52h56v52z" fill="${glass}"/><path d="M190 78h92" stroke="${dark}" stroke-width="9"/><path d="M282 78v50" stroke="${dark}" stroke-width="6"/>` +
    box(130, 40, 12, 200, dark, 2) +
    box(112, 60, 10, 176, steel, 2) +
    `<path d="M40 236h90v9H40z" fill="${dark}"/>` +
    wheel(176, 224, 27) +
    wheel(276, 224, 25) +
    box(44, 164, 72, 70, "#c49a63", 2) +
    `<path d="M44 190h72M80 164v70" stroke="#a37d49" stroke-width="3"/>`,
  Centrifuges:
    `<path d="M92 232V120q0-42 108-42t108 42v112z" fill="#e9edef"/><ellipse cx="200" cy="118" rx="92" ry="30" fill="#c2cbd1"/><ellipse cx="200" cy="116" rx="64" ry="19" fill="${dark}"/>` +
    row(
      6,
      (i) =>
        `<ellipse cx="${200 + 44 * Math.cos(i * 1.047)}" cy="${116 + 12 * Math.sin(i * 1.047)}" rx="8" ry="4" fill="#5cc4a8"/>`,
    ) +
    box(146, 168, 108, 44, "#1c2a33") +
    `<text x="158" y="198" font-family="monospace" font-size="24" fill="#7be0bd">4003</text>` +
    box(84, 232, 232, 10, steel),
  Defibrillators:
    box(104, 44, 192, 184, "#f4f6f6", 12) +
    box(118, 58, 164, 156, "#dfe9e4", 8) +
    `<path d="M200 176q-58-34-58-66 0-24 26-24 20 0 32 20 12-20 32-20 26 0 26 24 0 32-58 66" fill="#2e7d32"/><path d="M212 92l-24 38h20l-10 32 30-44h-22z" fill="#fff"/>` +
    box(150, 186, 100, 20, "#2e7d32") +
    `<text x="182" y="202" font-family="sans-serif" font-weight="700" font-size="17" fill="#fff">AED</text>`,
  "Network switches":
    box(70, 22, 260, 228, "#23282d", 4) +
    row(
      4,
      (j) =>
        box(86, 40 + j * 52, 228, 38, j % 2 === 0 ? "#3d4750" : "#2f6b78", 3) +
        row(
          12,
          (i) =>
            box(96 + i * 17, 52 + j * 52, 12, 10, "#0e1215", 1) +
            `<circle cx="${100 + i * 17}" cy="${70 + j * 52}" r="2.4" fill="${(i + j) % 5 === 0 ? "#e0a800" : "#5cd07a"}"/>`,
        ),
    ) +
    `<path d="M120 58q-60 60-20 110M190 110q60 40 90 56" stroke="#e2762a" stroke-width="4" fill="none"/>`,
  "Fire extinguishers":
    box(168, 88, 68, 160, "#c4261d", 26) +
    box(190, 66, 24, 26, dark) +
    `<path d="M180 66h66l14-14" stroke="${dark}" stroke-width="9" fill="none"/><path d="M190 74q-64 20-44 118" stroke="#22262a" stroke-width="9" fill="none"/><path d="M138 190h16l6 30h-28z" fill="#22262a"/>` +
    box(178, 136, 48, 58, "#f7efe2") +
    `<path d="M202 144q20 22 0 42q-20-20 0-42" fill="#c4261d"/>` +
    box(268, 70, 62, 62, "#c4261d") +
    `<path d="M299 82q18 20 0 40q-18-20 0-40" fill="#fff"/>`,
  Laptops:
    `<rect y="200" width="400" height="100" fill="#b98f62"/><rect y="200" width="400" height="10" fill="#a47c50"/>` +
    box(104, 66, 192, 130, "#22272c", 8) +
    box(113, 75, 174, 112, "#2f6b7d", 2) +
    `<path d="M113 187l58-60 40 34 30-26 46 52z" fill="#5cc4a8" opacity=".8"/><circle cx="252" cy="100" r="12" fill="#ffe08a"/><path d="M80 212l22-16h196l22 16q2 8-8 8H88q-10 0-8-8" fill="#9aa4ab"/>` +
    box(172, 200, 56, 8, "#7d878e", 2) +
    `<rect x="330" y="168" width="34" height="40" rx="4" fill="#f4f6f6"/><path d="M364 178q18 0 16 12t-18 10" stroke="#f4f6f6" stroke-width="5" fill="none"/>`,
  "Fire alarm systems":
    box(110, 40, 180, 200, "#b3261e", 8) +
    box(128, 58, 144, 54, "#16211a") +
    `<path d="M140 76h70M140 92h48" stroke="#7fd68b" stroke-width="6"/>` +
    row(
      4,
      (i) =>
        `<circle cx="${146 + i * 36}" cy="136" r="9" fill="${i === 0 ? "#7fd68b" : "#5c1410"}"/>`,
    ) +
    row(3, (i) => row(3, (j) => box(134 + i * 26, 158 + j * 24, 18, 16, "#f2ece2", 3))) +
    box(224, 158, 46, 66, "#f7efe2", 4) +
    `<circle cx="247" cy="191" r="16" fill="#22262a"/><circle cx="340" cy="70" r="26" fill="#f4f6f6"/><circle cx="340" cy="70" r="8" fill="#c4261d"/>`,
  "Emergency lighting":
    box(110, 60, 180, 92, "#1d8a4a", 6) +
    `<path d="M214 84a9 9 0 1 0 .1 0M196 108l18-6 16 14 12-2M212 104l-8 18 12 12-4 14M204 122l-20 14" stroke="#fff" stroke-width="7" fill="none" stroke-linecap="round"/><path d="M146 106h-18m8-9-9 9 9 9" stroke="#fff" stroke-width="6" fill="none"/>` +
    box(130, 44, 140, 16, "#e9ecec", 4) +
    `<path d="M110 152l-60 90h300l-60-90z" fill="#cdebd6" opacity=".45"/>` +
    box(296, 176, 60, 68, "#6d767e", 4) +
    `<circle cx="326" cy="196" r="7" fill="#7fd68b"/>`,
  "Doors and gates":
    box(52, 50, 296, 190, "#6d767e", 3) +
    row(8, (i) => box(66, 62 + i * 19, 268, 15, i % 2 === 0 ? "#c4cbd0" : "#b4bcc2", 2)) +
    box(66, 212, 268, 12, "#f3c13a") +
    row(9, (i) => `<path d="M${70 + i * 30} 212h14l-10 12h-8z" fill="#22262a"/>`) +
    box(356, 120, 26, 48, "#eceff0") +
    `<circle cx="369" cy="134" r="6" fill="#2e7d32"/><circle cx="369" cy="153" r="6" fill="#c4261d"/>`,
  "Water systems":
    `<path d="M0 206h400v16H0zM120 60h60v16h-60z" fill="${steel}"/>` +
    box(58, 70, 74, 164, "#2b7fa3", 32) +
    box(156, 70, 74, 164, "#2b7fa3", 32) +
    `<path d="M95 70V48h98v22M230 120h62v86" stroke="${steel}" stroke-width="12" fill="none"/>` +
    box(262, 96, 92, 76, "#f4f6f6", 6) +
    box(274, 108, 68, 26, "#12303b") +
    `<path d="M282 126l10-8 12 6 14-10 14 8" stroke="#5cc4e0" stroke-width="4" fill="none"/><circle cx="95" cy="120" r="17" fill="#fff"/><path d="M95 120l9-10" stroke="#c4261d" stroke-width="4"/><circle cx="193" cy="120" r="17" fill="#fff"/><path d="M193 120l-4-12" stroke="#c4261d" stroke-width="4"/>`,
  "Floors and facades":
    `<rect y="150" width="400" height="150" fill="#9fb0a8"/><path d="M0 150h400M0 190h400M0 244h400M200 150v150M110 150L20 300M290 150l90 150" stroke="#84958d" stroke-width="3"/>` +
    row(5, (i) => box(20 + i * 74, 30, 62, 92, glass, 2)) +
    box(150, 176, 116, 56, "#e2b33c", 10) +
    box(166, 150, 50, 34, "#22262a", 6) +
    `<path d="M256 180l34-52" stroke="#22262a" stroke-width="7"/>` +
    row(2, (i) => `<ellipse cx="${172 + i * 70}" cy="240" rx="26" ry="9" fill="#c4261d"/>`),
};
