/** What became of one claim: how the delivery goes on, and the attempt that was made. */
export interface Settlement {
  id: string;
  claim_id: string;
  /** The endpoint whose health it tells of; null: a test, which tells nothing. */
  counts_for: { account_id: string; endpoint_id: string } | null;
  /** How the delivery ended; null: it stays in the queue. */
  status: 'succeeded' | 'failed' | 'cancelled' | null;
  /** How long until it is tried again; null: at once. */
  wait_ms: number | null;
  /** Nothing was sent: the attempt that the claim counted is given back. */
  unsent: boolean;
  error: string | null;
  /** An attempt begun by a worker that died: it may have reached the endpoint or not. */
  interrupted: { number: number; started_at: Date } | null;
  /** The address that was tried: what it did says nothing of the one that its owner has given since. */
  sent_to: string | null;
  attempt: AttemptMade | null;
}

export interface AttemptMade {
  number: number;
  started_at: Date;
  duration_ms: number;
  outcome: string;
  signature: string;
  response_status: number | null;
  /** JSON text. */
  response_headers: string | null;
  response_body: string | null;
}
