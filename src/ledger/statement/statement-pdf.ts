import { once } from 'node:events';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import type { StatementView } from './ledger.schema.ts';
import { columns, type Row, type Words, wordsOf } from './statement-words.ts';

type Pdf = PDFKit.PDFDocument;

/*
 * We embed a font, because the fonts that every PDF reader has contain Western letters only, and would show other
 * letters as boxes.
 */
const { resolve } = createRequire(import.meta.url);
const fonts = {
  text: resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};

const margin = 50;
const bottom = 70;
/** The width of each column, from the left margin on. There are 495 points. */
const widths: Record<keyof Row, number> = {
  Date: 70,
  Description: 215,
  Charges: 65,
  'Payments and credits': 75,
  Balance: 70,
};
const gap = 6;

/**
 * Turns the statement's JSON into a file to send. This takes long, so pdf-queue.ts has it done where nobody else is
 * held up.
 */
export async function statementPdf(body: string): Promise<Uint8Array<ArrayBuffer>> {
  const { data } = JSON.parse(body) as { data: StatementView };
  const words = wordsOf(data);
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: margin, left: margin, right: margin, bottom },
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: words.title, Author: words.account, CreationDate: new Date(data.issued_on) },
  });
  const parts: Buffer[] = [];
  pdf.on('data', (part: Buffer) => parts.push(part));
  const ended = once(pdf, 'end');
  for (const [name, path] of Object.entries(fonts)) pdf.registerFont(name, path);
  writeHead(pdf, words);
  writeEntries(pdf, words.rows);
  writeSections(pdf, words);
  numberPages(pdf);
  pdf.end();
  await ended;
  return new Uint8Array(Buffer.concat(parts));
}

function writeHead(pdf: Pdf, { account, title, about }: Words): void {
  const { left } = pdf.page.margins;
  pdf.font('bold').fontSize(10).text(account, left, margin, { align: 'right' });
  pdf.fontSize(18).text(title, left).moveDown(0.7);
  for (const [name, lines] of about) {
    const { y } = pdf;
    pdf.font('text').fontSize(9).fillColor('#555').text(name, left, y, { width: 70 });
    pdf
      .fillColor('#000')
      .text(lines.join('\n'), left + 80, y, { width: roomOf(pdf) - 80 })
      .moveDown(0.3);
  }
  pdf.moveDown(1);
}

const roomOf = ({ page }: Pdf): number => page.width - page.margins.left - page.margins.right;

function writeEntries(pdf: Pdf, rows: Row[]): void {
  const head = Object.fromEntries(columns.map((column) => [column, column])) as Row;
  const writeHeadRow = () => writeRow(pdf, head, 'bold', heightOf(pdf, head, 'bold'));
  writeHeadRow();
  for (const row of rows) {
    const height = heightOf(pdf, row, 'text');
    if (pdf.y + height > pdf.page.height - bottom) {
      pdf.addPage();
      writeHeadRow();
    }
    writeRow(pdf, row, 'text', height);
  }
}

const heightOf = (pdf: Pdf, row: Row, font: keyof typeof fonts): number => {
  pdf.font(font).fontSize(8.5);
  return (
    Math.max(...columns.map((name) => pdf.heightOfString(row[name] || ' ', { width: widths[name] - gap }))) +
    8
  );
};

function writeRow(pdf: Pdf, row: Row, font: keyof typeof fonts, height: number): void {
  pdf.font(font).fontSize(8.5);
  const { left } = pdf.page.margins;
  const { y } = pdf;
  let x = left;
  for (const name of columns) {
    const align = name === 'Date' || name === 'Description' ? 'left' : 'right';
    pdf.text(row[name], x, y + 4, { width: widths[name] - gap, align });
    x += widths[name];
  }
  const color = font === 'bold' ? '#888' : '#ddd';
  pdf
    .moveTo(left, y + height)
    .lineTo(left + roomOf(pdf), y + height)
    .lineWidth(0.5)
    .strokeColor(color)
    .stroke();
  pdf.x = left;
  pdf.y = y + height;
}

function writeSections(pdf: Pdf, { result, sections }: Words): void {
  const { left } = pdf.page.margins;
  pdf.font('bold').fontSize(11);
  keepTogether(pdf, pdf.heightOfString(result, { width: roomOf(pdf) }) + 20);
  pdf.text(result, left, pdf.y + 14, { width: roomOf(pdf) });
  for (const { title, lines } of sections) {
    keepTogether(pdf, 60);
    pdf
      .font('bold')
      .fontSize(9.5)
      .text(title, left, pdf.y + 12)
      .moveDown(0.3);
    for (const [text, value] of lines) {
      pdf.font('text').fontSize(8.5);
      const width = roomOf(pdf) - 110;
      keepTogether(pdf, pdf.heightOfString(text, { width }) + 4);
      const { y } = pdf;
      pdf.text(value, left + roomOf(pdf) - 110, y, { width: 110, align: 'right' });
      pdf.text(text, left, y, { width });
      pdf.y += 3;
    }
  }
}

function keepTogether(pdf: Pdf, height: number): void {
  if (pdf.y + height > pdf.page.height - bottom) pdf.addPage();
}

function numberPages(pdf: Pdf): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let at = 0; at < count; at++) {
    pdf.switchToPage(start + at);
    // This is below the margin, where text would otherwise begin another page.
    pdf.page.margins.bottom = 0;
    pdf
      .font('text')
      .fontSize(8)
      .fillColor('#555')
      .text(`Page ${at + 1} of ${count}`, margin, pdf.page.height - 45, {
        width: roomOf(pdf),
        align: 'right',
      });
  }
}
