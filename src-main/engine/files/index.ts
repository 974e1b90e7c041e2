export { contains } from './contains.ts';
export { freeBytes, writeFileAtomic } from './files.ts';
