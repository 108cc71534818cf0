// Shows a page of its own when the server cannot be reached. It keeps nothing: pages, files and data always come from
// the network, so a new release is there at once, and nobody finds what another account has seen.

// Nothing is kept, so a new version can take over open tabs without asking.
addEventListener('install', () => self.skipWaiting());
addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** The API, its reference and downloads are not pages of the dashboard. */
const isElsewhere = /^\/(api|internal|assets|docs)(\/|$)/;

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode !== 'navigate' || request.method !== 'GET') return;
  if (isElsewhere.test(new URL(request.url).pathname)) return;
  event.respondWith(fetch(request).catch(offline));
});

function offline() {
  const nonce = crypto.randomUUID();
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'`;
  return new Response(page(nonce), {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
    },
  });
}

const page = (nonce) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>No connection · Tenure</title>
<style nonce="${nonce}">
  :root { color-scheme: light dark; --ground: #fff; --ink: #17171c; --soft: #5c5c68; --accent: #3d5bd9 }
  @media (prefers-color-scheme: dark) {
    :root { --ground: #131316; --ink: #ededf0; --soft: #a5a5b1; --accent: #4966e0 }
  }
  body {
    margin: 0; padding: 96px 24px; background: var(--ground); color: var(--ink); text-align: center;
    font: 14px/20px ui-sans-serif, system-ui, sans-serif;
  }
  main { max-width: 48ch; margin: 0 auto }
  h1 { margin: 0; font-size: 20px; line-height: 28px }
  p { margin: 8px 0 24px; color: var(--soft) }
  a {
    display: inline-block; padding: 8px 12px; border-radius: 6px; background: var(--accent); color: #fff;
    font-weight: 500; text-decoration: none;
  }
  a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
</style>
</head>
<body>
<main>
<h1>No connection to the server</h1>
<p>This page opens by itself when you are online again. What you have saved is safe.</p>
<a href="">Try again</a>
</main>
<script nonce="${nonce}">
  addEventListener('online', () => location.reload());
  // The server may be away, or the connection may have come back before anybody listened.
  setTimeout(() => navigator.onLine && location.reload(), 5000);
</script>
</body>
</html>
`;
