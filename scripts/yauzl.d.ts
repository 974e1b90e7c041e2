/** What is used of yauzl 3.4, which ships without declarations. */
declare module 'yauzl' {
  import type { Readable } from 'node:stream';

  interface Entry {
    readonly fileName: string;
    /** Unix mode in the upper 16 bits. */
    readonly externalFileAttributes: number;
  }

  interface ZipFile {
    eachEntry(): AsyncIterable<Entry>;
    openReadStreamPromise(entry: Entry): Promise<Readable>;
  }

  export function openPromise(path: string, options: { lazyEntries: true }): Promise<ZipFile>;
}
