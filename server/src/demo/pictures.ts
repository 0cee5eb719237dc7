import PDFDocument from "pdfkit";
import sharp from "sharp";
import type { Tx } from "../db/database.js";
import { createId } from "../domain/shared/ids.js";
import { groupBy } from "./calendar.js";
import { after, before, room, scenes } from "./data/scenes.js";
import { insertRows } from "./ledger.js";
import type { SampleFile } from "./story.js";

const width = 800;
const height = 600;
const thumbnailSide = 320;

interface Content {
  type: string;
  bytes: Buffer;
  picture: { width?: number; height?: number; thumbnail?: string };
}

/** Stores the files. Assets of a kind have equal pictures, which are drawn and sent once. */
export async function storeFiles(
  tx: Tx,
  organizationId: string,
  files: readonly SampleFile[],
): Promise<void> {
  const groups = groupBy(files, (file) => file.lines?.join() ?? `${file.category} ${file.look}`);
  for (const same of groups.values()) {
    const [first] = same;
    if (first === undefined) continue;
    const { type, bytes, picture } = await toContent(first);
    const rows = same.map(({ id = createId("file"), owner, name, by, at }) => ({
      ...{ id, ...owner, name, type, size: bytes.length, ...picture },
      moment:
        "task_id" in owner && owner.report_id === undefined && first.look !== ""
          ? first.look
          : null,
      ...{ storage: "database", created_by: by, created_at: at },
    }));
    await insertRows(tx, "files", organizationId, rows);
    await tx.query(
      `INSERT INTO file_pieces (organization_id, file_id, position, content)
       SELECT $1, id, 0, $3 FROM unnest($2::text[]) AS id`,
      [organizationId, rows.map(({ id }) => id), bytes],
    );
  }
}

async function toContent({ category, look, lines }: SampleFile): Promise<Content> {
  if (lines !== undefined)
    return { type: "application/pdf", bytes: await print(lines), picture: {} };
  const marks = { "": "", before, after }[look];
  const shapes = room(scenes[category] ?? "") + marks;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" width="${width}" height="${height}">${shapes}</svg>`;
  const drawn = sharp(Buffer.from(svg));
  const bytes = await drawn.clone().flatten().jpeg({ quality: 80 }).toBuffer();
  const small = await drawn.resize(thumbnailSide).webp({ quality: 75 }).toBuffer();
  const picture = { width, height, thumbnail: `\\x${small.toString("hex")}` };
  return { type: "image/jpeg", bytes, picture };
}

/** A sheet with a title, the asset's name and a frame of lines, as from a maker's folder. */
function print([title = "", name = "", ...lines]: readonly string[]): Promise<Buffer> {
  const document = new PDFDocument({
    size: "A5",
    margin: 42,
    info: { Title: title, Creator: "Fettle" },
  });
  const parts: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve) => {
    document.on("data", (part: Buffer) => parts.push(part));
    document.on("end", () => {
      resolve(Buffer.concat(parts));
    });
  });
  document.font("Helvetica-Bold").fontSize(20).text(title);
  document.font("Helvetica").fontSize(13).moveDown(0.3).text(name).moveDown(1.5).fontSize(12);
  for (const line of lines) document.text(line, { lineGap: 8 });
  document.rect(42, 150, 336, 30 + 24 * lines.length).stroke("#9aa4ae");
  document.fontSize(9).fillColor("#57606a").text("Northgate Facilities", 42, 520);
  document.end();
  return finished;
}
