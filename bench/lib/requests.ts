/** The text of an answer. Anything but a success is an error. */
export async function answerTo(url: string, key: string, body?: object): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const posted = body && { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(url, { headers, ...posted });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}: ${text.slice(0, 500)}`);
  return text;
}

/** How long a request takes, in milliseconds. */
export async function timed(...request: Parameters<typeof answerTo>): Promise<number> {
  const started = performance.now();
  await answerTo(...request);
  return performance.now() - started;
}

/** Asks this often, one request after the other. */
export async function timesOf(count: number, ask: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) times.push(await ask());
  return times;
}

/** Asks one after the other until the work is done. */
export async function answersDuring<Answer>(
  work: Promise<unknown>,
  ask: () => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let isDone = false;
  const asking = async () => {
    while (!isDone) answers.push(await ask());
  };
  const working = work.finally(() => {
    isDone = true;
  });
  await Promise.all([working, asking()]);
  return answers;
}
