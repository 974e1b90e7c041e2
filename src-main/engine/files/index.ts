export { freeBytes, writeFileAtomic } from './files.ts';
