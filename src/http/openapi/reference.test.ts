import { beforeAll, expect, test } from 'vitest';
import { type Service, testService } from '../../../test/support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
  return () => service.close();
});

test('the API reference is there for anyone and loads nothing from outside', async () => {
  const response = await fetch(`${service.url}/docs`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toMatch(/https?:|\*/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');

  const html = await response.text();
  const loaded = [
    ...html.matchAll(/<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=["']([^"']+)["']/g),
  ].map(([, url]) => url ?? '');
  expect(loaded.length).toBeGreaterThan(0);
  for (const url of loaded) {
    expect(url).not.toMatch(/^(https?:)?\/\//);
    expect((await fetch(new URL(url, response.url))).status, url).toBe(200);
  }
  expect(html).toContain('/api/v1/openapi.json');
});

test('the document it shows is served as JSON, without a key', async () => {
  const response = await fetch(`${service.url}/api/v1/openapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(((await response.json()) as { openapi: string }).openapi).toBe('3.1.0');
});
