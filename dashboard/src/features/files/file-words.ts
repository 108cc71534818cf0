import { fileAddress, type Query } from '../../api/client.ts';
import type { RecordFile } from '../../api/records.ts';

/** The address of the bytes. */
export const contentAddress = ({ id }: Pick<RecordFile, 'id'>, query: Query = {}): string =>
  fileAddress(`/files/${id}/content`, query);

type Typed = Pick<RecordFile, 'content_type' | 'name'>;

export const isImage = ({ content_type }: Pick<RecordFile, 'content_type'>): boolean =>
  content_type.startsWith('image/');

export const isPdf = ({ content_type }: Pick<RecordFile, 'content_type'>): boolean =>
  content_type === 'application/pdf';

/** Anything else is downloaded. */
export const isShown = (file: Pick<RecordFile, 'content_type'>): boolean => isImage(file) || isPdf(file);

/** The ending of the name, which the server has made to match the type. */
export const typeWords = ({ name }: Typed): string => (name.split('.').at(-1) ?? '').toUpperCase();

const kilobyte = 1024;

export function sizeWords(bytes: number): string {
  if (bytes < kilobyte) return `${bytes} B`;
  const kilobytes = bytes / kilobyte;
  return kilobytes < kilobyte ? `${Math.round(kilobytes)} kB` : `${(kilobytes / kilobyte).toFixed(1)} MB`;
}
