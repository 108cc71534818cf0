import PDFDocument from 'pdfkit';

/** A PDF with a line of text on each page, and scripts and links that would like to run. */
export function makePdf(pages: string[], options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', ...options, autoFirstPage: false });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const page of pages) pdf.addPage().fontSize(24).text(page, { link: 'http://elsewhere.example/' });
  pdf.addNamedJavaScript('start', 'app.alert("ran"); app.launchURL("http://elsewhere.example/")');
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  pdf.on('end', () => resolve(Buffer.concat(chunks))).on('error', reject);
  pdf.end();
  return promise;
}
