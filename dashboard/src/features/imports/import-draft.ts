import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '../../api/client.ts';
import type { ImportOptions, ImportResult } from '../../api/records.ts';

export type ImportFile = ImportResult['files'][number];
export type Kind = ImportFile['kind'];

/** What will be sent: the files, and how to read them. */
export interface Draft extends ImportOptions {
  files: Partial<Record<Kind, File>>;
  /** Counts the changes that need a new preview. */
  version: number;
}

const blank: Draft = {
  files: {},
  mapping: {},
  date_format: null,
  events: true,
  skip_errors: false,
  version: 0,
};

export async function sendImport(
  what: 'preview' | 'apply',
  { files, mapping, date_format, events, skip_errors }: Draft,
  signal?: AbortSignal,
): Promise<ImportResult> {
  const body = new FormData();
  for (const [kind, file] of Object.entries(files)) body.append(kind, file);
  const options = { mapping, date_format, events, skip_errors } satisfies ImportOptions;
  body.append('options', JSON.stringify(options));
  return (await request<ImportResult>('POST', `/imports/${what}`, { body, ...(signal ? { signal } : {}) }))
    .data;
}

/** What was chosen so far, and the server's preview of it. */
export function useImportDraft() {
  const [draft, setDraft] = useState(blank);
  const hasFiles = Object.keys(draft.files).length > 0;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['import', draft.version],
    queryFn: ({ signal }) => sendImport('preview', draft, signal),
    enabled: hasFiles,
    // Each change of the draft needs a new preview, and the old one is of no further use.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Shows the old preview until the new one arrives.
    placeholderData: keepPreviousData,
  });
  const change = (make: (before: Draft) => Partial<Draft>) =>
    setDraft((before) => ({ ...before, ...make(before), version: before.version + 1 }));
  return {
    draft,
    preview: hasFiles ? data : undefined,
    error: hasFiles ? error : null,
    isReading: isFetching,
    readAgain: refetch,
    setFile: (kind: Kind, file: File | null) =>
      change(({ files: { [kind]: _, ...others } }) => ({
        files: file ? { ...others, [kind]: file } : others,
      })),
    setColumn: (kind: Kind, header: string, field: string | null) =>
      change(({ mapping }) => ({ mapping: { ...mapping, [kind]: { ...mapping[kind], [header]: field } } })),
    setDateFormat: (date_format: Draft['date_format']) => change(() => ({ date_format })),
    setEvents: (events: boolean) => setDraft((before) => ({ ...before, events })),
    setSkipErrors: (skip_errors: boolean) => change(() => ({ skip_errors })),
    startOver: () => change(() => ({ files: {}, mapping: {}, date_format: null, skip_errors: false })),
  };
}
