import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { document } from '../support/conform.ts';

interface PostmanRequest {
  method: string;
  header: { key: string }[];
  url: { raw: string; path: string[]; variable: { key: string }[] };
}

interface Collection {
  info: { schema: string };
  auth: { bearer: object[] };
  variable: { key: string }[];
  item: { item: { request: PostmanRequest }[] }[];
}

const file = 'clients/postman/tenure.postman_collection.json';
const collection = JSON.parse(readFileSync(file, 'utf8')) as Collection;
const requests = collection.item.flatMap(({ item }) => item).map(({ request }) => request);

test('every operation is in the Postman collection, with an address that Postman understands', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  const inIt = requests.map(({ method, url }) => `${method} /${url.path.join('/')}`);
  expect(inIt.sort()).toEqual(operations.sort());
  for (const { url } of requests) {
    const named = url.path.filter((part) => part.startsWith(':')).map((part) => part.slice(1));
    expect(url.variable.map(({ key }) => key)).toEqual(named);
    expect(url.raw.split('?')[0]).toBe(['{{baseUrl}}', ...url.path].join('/'));
  }
});

test('it asks for the key, and no request takes effect twice', () => {
  expect(collection.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
  expect(collection.auth.bearer).toMatchObject([{ key: 'token', value: '{{apiKey}}' }]);
  expect(collection.variable.map(({ key }) => key)).toEqual(['baseUrl', 'apiKey']);
  for (const { method, header } of requests)
    expect(header.some(({ key }) => key === 'Idempotency-Key')).toBe(method === 'POST');
});
