export { type Database, openDatabase, type SqlValue } from './database.ts';
export { dataDirectory } from './dataDirectory.ts';
export { freeBytes, writeFileAtomic } from './files.ts';
export { mintId } from './mintId.ts';
