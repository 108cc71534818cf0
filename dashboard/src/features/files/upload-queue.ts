import { useEffect, useRef, useState } from 'react';
import { ApiError, request } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { messageOf, randomKey } from '../../api/writes.ts';

/** A file on its way. */
export interface Sending {
  key: string;
  file: File;
  /** Null while it waits or is sent. */
  problem: string | null;
}

const mostBytes = 25 * 1024 * 1024;
const waitMs = 2_000;

/** Sends files to a record one by one, so that they keep the order in which they were chosen. What fails stays in the list until it is tried again or taken out. */
export function useUploads(record: string) {
  const [sending, setSending] = useState<Sending[]>([]);
  const isUnderWay = useRef(false);

  useEffect(() => {
    const next = sending.find(({ problem }) => problem === null);
    if (next === undefined || isUnderWay.current) return;
    isUnderWay.current = true;
    void send(record, next).then((problem) => {
      isUnderWay.current = false;
      setSending((all) =>
        problem === null
          ? all.filter(({ key }) => key !== next.key)
          : all.map((one) => (one.key === next.key ? { ...one, problem } : one)),
      );
      if (problem === null) void queryClient.invalidateQueries({ queryKey: ['files', record] });
    });
  }, [sending, record]);

  return {
    sending,
    add: (files: Iterable<File>) =>
      setSending((all) => [
        ...all,
        ...Array.from(files, (file) => ({ key: randomKey(), file, problem: tooLarge(file) })),
      ]),
    again: (key: string) =>
      setSending((all) => all.map((each) => (each.key === key ? { ...each, problem: null } : each))),
    drop: (key: string) => setSending((all) => all.filter((each) => each.key !== key)),
  };
}

const tooLarge = ({ size }: File): string | null =>
  size > mostBytes ? 'This file is larger than 25 MB.' : null;

/** What went wrong, in words; null if it arrived. With its key, a file that is sent again is not added twice. */
async function send(record: string, { key, file }: Sending): Promise<string | null> {
  const body = new FormData();
  body.append('file', file);
  for (;;) {
    try {
      await request('POST', '/files', { query: { record }, body, idempotencyKey: key });
      return null;
    } catch (error) {
      // Another window of the same account is sending too.
      if (!(error instanceof ApiError) || error.status !== 429) return messageOf(error);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
