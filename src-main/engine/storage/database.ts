import Libsql from 'libsql';
import { ParleyError } from '../../../src-shared/failure.ts';
import { MIGRATIONS } from './migrations.ts';
import { decodeText, encodeText } from './nulText.ts';

/** How long a writer waits for the other process on the same data directory, ms. */
const BUSY_TIMEOUT_MS = 5_000;

const PAGE_BYTES = 16 * 1024;
/** How far the log may grow before it is written back, pages: a flood of evidence is not written twice while it comes. */
const CHECKPOINT_PAGES = 4_000;

export type SqlValue = string | number | null;

/** A database connection: prepared once, synchronous, for short transactions only. */
export interface Database {
  /** Rows as plain objects; what they hold is the caller's to parse. */
  all(sql: string, ...values: SqlValue[]): Record<string, unknown>[];
  get(sql: string, ...values: SqlValue[]): Record<string, unknown> | undefined;
  /** Number of rows that were changed. */
  run(sql: string, ...values: SqlValue[]): number;
  /**
   * Everything in `work` or nothing. Nested calls join the outer transaction. What can be rebuilt from files is not
   * flushed: a power cut may lose it, a crash of Parley does not.
   */
  transaction<Value>(work: () => Value, loss?: 'rebuildable'): Value;
  close(): void;
}

/**
 * Opens the database at `path` and brings its schema up to date.
 * @throws ParleyError `database-newer` when a newer Parley has written it, `database-unreadable` when it is not one.
 */
export function openDatabase(path: string): Database {
  const connection = connect(path);
  const statements = new Map<string, Libsql.Statement<unknown[]>>();
  const prepare = (sql: string) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = connection.prepare<unknown[]>(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  let depth = 0;
  const database: Database = {
    all: (sql, ...values) => (prepare(sql).all(...values.map(encode)) as Record<string, unknown>[]).map(decodeRow),
    get: (sql, ...values) => {
      const row = prepare(sql).get(...values.map(encode)) as Record<string, unknown> | undefined;
      return row === undefined ? undefined : decodeRow(row);
    },
    run: (sql, ...values) => prepare(sql).run(...values.map(encode)).changes,
    transaction: (work, loss) => {
      if (depth > 0) return work();
      if (loss === 'rebuildable') connection.exec('pragma synchronous = normal');
      connection.exec('begin immediate');
      depth++;
      try {
        const value = work();
        connection.exec('commit');
        return value;
      } catch (error) {
        connection.exec('rollback');
        throw error;
      } finally {
        depth--;
        if (loss === 'rebuildable') connection.exec('pragma synchronous = full');
      }
    },
    close: () => {
      statements.clear();
      connection.close();
    },
  };
  migrate(database, connection);
  return database;
}

function encode(value: SqlValue): SqlValue {
  return typeof value === 'string' ? encodeText(value) : value;
}

/** In place: the row is nobody else's. */
function decodeRow(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'string') row[name] = decodeText(value);
  }
  return row;
}

function connect(path: string): Libsql.Database {
  try {
    const connection = new Libsql(path);
    connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // Rows here hold kibibytes of text: pages of this size take them without overflow chains. Counts for a new file only.
    connection.pragma(`page_size = ${PAGE_BYTES}`);
    connection.pragma('journal_mode = WAL');
    // A message is stored before its turn starts, also when the power goes: each commit is flushed.
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    connection.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    return connection;
  } catch (error) {
    throw new ParleyError(
      'database-unreadable',
      `The database ${path} could not be opened.`,
      'Move it aside to begin with an empty one; attachments and artifacts stay where they are.',
      { cause: error },
    );
  }
}

function migrate(database: Database, connection: Libsql.Database): void {
  database.transaction(() => {
    const version = Number(database.get('select user_version as version from pragma_user_version')?.version ?? 0);
    if (version > MIGRATIONS.length) {
      throw new ParleyError(
        'database-newer',
        `The database was written by a newer Parley (schema ${version}; this one knows ${MIGRATIONS.length}).`,
        'Start the newer version, or choose another data directory with PARLEY_HOME.',
      );
    }
    for (const step of MIGRATIONS.slice(version)) connection.exec(step);
    connection.exec(`pragma user_version = ${MIGRATIONS.length}`);
  });
}
