export { workersAtWork } from './workers.store.ts';
