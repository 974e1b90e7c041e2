export { freeBytes, writeFileAtomic } from '../files/index.ts';
export { type Database, openDatabase, type SqlValue } from './database.ts';
export { dataDirectory } from './dataDirectory.ts';
export { mintId } from './mintId.ts';
