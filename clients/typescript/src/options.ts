/** Options of one call. */
export interface Options {
  /** Ends the call, its retries and the waits between them. */
  signal?: AbortSignal;
  /** How long one attempt may take. Default: that of the client, 30 seconds unless you set another. */
  timeoutMs?: number;
  /** How often a call that can be repeated safely is tried again. Default: that of the client, 3. */
  retries?: number;
  /**
   * For a POST: identifies the request, so that nothing is done twice, however often it is sent. Without one, the
   * client makes one, which protects its own retries. Set your own to be safe when your program restarts as well.
   */
  idempotencyKey?: string;
  /** Further headers, such as `If-Match`. */
  headers?: Record<string, string>;
  /** Sees the answer before it is read: its status and headers. */
  onResponse?: (response: Response) => void;
}

export interface OptionsWithQuery<Query> extends Options {
  query?: Query;
}

export interface TenureOptions extends Pick<Options, 'timeoutMs' | 'retries'> {
  /** Where Tenure runs: `https://tenure.example.com`. In a page that Tenure's own host serves, `location.origin`. */
  baseUrl: string;
  /** `svc_live_…`, or `svc_test_…` for test mode, made in the dashboard under Settings → API keys. */
  apiKey: string;
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch;
}
