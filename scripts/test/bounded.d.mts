interface Counts {
  passed: number;
  failed: number;
}

export function bounded(
  mostMs: number,
  part: (run: { environment: Record<string, string>; signal: AbortSignal }) => Promise<Counts>,
): Promise<Counts>;
