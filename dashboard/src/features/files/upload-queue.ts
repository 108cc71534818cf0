import { useEffect, useRef, useState } from 'react';
import { upload } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { messageOf, patiently, randomKey } from '../../api/writes.ts';

/** A file being sent. */
export interface Sending {
  key: string;
  file: File;
  /** Null while it waits or is being sent. */
  problem: string | null;
  /** How much of it has been sent, from 0 to 1; null while it waits for its turn. */
  sent: number | null;
  /** Stops it. */
  stop: AbortController;
}

const mostBytes = 25 * 1024 * 1024;

/**
 * Sends files to a record one by one, so that they keep the order in which they were chosen. A file that fails stays in
 * the list until it is tried again or removed.
 */
export function useUploads(record: string) {
  const [sending, setSending] = useState<Sending[]>([]);
  const isUnderWay = useRef(false);

  const change = (key: string, changed: Partial<Sending>) =>
    setSending((all) => all.map((each) => (each.key === key ? { ...each, ...changed } : each)));

  useEffect(() => {
    const next = sending.find(({ problem }) => problem === null);
    if (next === undefined || isUnderWay.current) return;
    isUnderWay.current = true;
    void send(record, next, (sent) => change(next.key, { sent })).then((problem) => {
      isUnderWay.current = false;
      if (problem !== null) return change(next.key, { problem, sent: null });
      setSending((all) => all.filter(({ key }) => key !== next.key));
      void queryClient.invalidateQueries({ queryKey: ['files', record] });
    });
  });

  return {
    sending,
    add: (files: Iterable<File>) =>
      setSending((all) => [
        ...all,
        ...Array.from(files, (file) => ({
          ...{ key: randomKey(), file, problem: tooLarge(file), sent: null },
          stop: new AbortController(),
        })),
      ]),
    again: (key: string) => change(key, { problem: null, stop: new AbortController() }),
    drop({ key, stop }: Sending) {
      stop.abort();
      setSending((all) => all.filter((each) => each.key !== key));
    },
  };
}

const tooLarge = ({ size }: File): string | null =>
  size > mostBytes ? 'This file is larger than 25 MB.' : null;

/**
 * Returns what went wrong, in words; null if the file arrived, or was stopped. Because of its key, sending a file again
 * does not add it twice.
 */
async function send(
  record: string,
  { key, file, stop: { signal } }: Sending,
  onProgress: (part: number) => void,
): Promise<string | null> {
  const form = new FormData();
  form.append('file', file);
  try {
    // Another window of the same account may also be sending; then this one tries again.
    await patiently(() =>
      upload('/files', form, { query: { record }, idempotencyKey: key, signal, onProgress }),
    );
    return null;
  } catch (error) {
    return signal.aborted ? null : messageOf(error);
  }
}
