import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { parseForeign } from '../../text/nesting.ts'
import { type Fields, fieldsOf } from '../shared/transcript/fields.ts'
import { dataFolder } from './data-folder.ts'

/** The tables and columns of 1.18.33 that we need. When one of them is missing, nothing is read. */
const NEEDED = {
  session: ['id', 'parent_id', 'directory', 'title', 'version', 'metadata', 'time_created', 'time_updated'],
  message: ['id', 'session_id', 'time_created', 'data'],
  part: ['id', 'message_id', 'session_id', 'data'],
}

/**
 * Reads the sessions that no other session started, as `opencode session list` prints them, but in only a millisecond.
 * Undefined if this Node has no SQLite (before 22.5) or cannot read the database. The caller then has to ask OpenCode.
 */
export function sessionsInDatabase(environment: Environment): Fields[] | undefined {
  return withDatabase(environment, (query) =>
    query('SELECT id, title, directory, time_updated AS updated FROM session WHERE parent_id IS NULL'),
  )
}

/**
 * Reads a session, in the form of `opencode export`. Undefined if the database cannot be read, or does not contain the
 * session. Undefined also if the session has messages in the newer table `session_message`: we do not read that table.
 */
export function sessionInDatabase(environment: Environment, id: string): Fields | undefined {
  return withDatabase(environment, (query, tables) => {
    if (tables.has('session_message')) {
      const [newer] = query('SELECT 1 FROM session_message WHERE session_id = ? LIMIT 1', id)
      if (newer !== undefined) return undefined
    }
    const [row] = query('SELECT * FROM session WHERE id = ?', id)
    if (row === undefined) return undefined
    const messages = query('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id', id)
    const parts = query(
      'SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY message_id, id',
      id,
    )
    const partsOf = new Map(messages.map((message) => [message.id, [] as Fields[]]))
    for (const part of parts) partsOf.get(part.message_id)?.push(part)
    return {
      info: infoOf(row),
      messages: messages.map((message) => ({
        info: { ...dataOf(message), id: message.id, sessionID: id },
        parts: (partsOf.get(message.id) ?? []).map((part) => {
          return { ...dataOf(part), id: part.id, sessionID: id, messageID: message.id }
        }),
      })),
    }
  })
}

function infoOf(row: Fields): Fields {
  const { id, parent_id, project_id, directory, title, version, metadata, time_created, time_updated } = row
  return {
    id,
    ...(parent_id === null ? {} : { parentID: parent_id }),
    projectID: project_id,
    directory,
    title,
    version,
    ...(typeof metadata === 'string' ? { metadata: parseForeign(metadata) } : {}),
    time: { created: time_created, updated: time_updated },
  }
}

function dataOf({ data }: Fields): Fields {
  return fieldsOf(parseForeign(String(data)))
}

type Query = (sql: string, ...values: string[]) => Fields[]

/**
 * Opens the database read-only, with what OpenCode has in its write-ahead log. Returns undefined for anything
 * unexpected.
 */
function withDatabase<T>(
  environment: Environment,
  read: (query: Query, tables: ReadonlySet<unknown>) => T | undefined,
): T | undefined {
  const path = databasePath(environment)
  const sqlite = existsSync(path) ? loadSqlite() : undefined
  if (sqlite === undefined) return undefined
  try {
    const database = new sqlite.DatabaseSync(path, { readOnly: true, timeout: 1000 })
    try {
      const query: Query = (sql, ...values) => database.prepare(sql).all(...values)
      const tables = new Set(
        query("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name),
      )
      return isKnown(query, tables) ? read(query, tables) : undefined
    } finally {
      database.close()
    }
  } catch {
    // The database is locked, damaged, or of another version. The caller can ask OpenCode itself.
    return undefined
  }
}

function databasePath(environment: Environment): string {
  const name = environment.env.OPENCODE_DB || 'opencode.db'
  return isAbsolute(name) ? name : join(dataFolder(environment), 'opencode', name)
}

function isKnown(query: Query, tables: ReadonlySet<unknown>): boolean {
  return Object.entries(NEEDED).every(([table, columns]) => {
    if (!tables.has(table)) return false
    const present = new Set(query(`SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name))
    return columns.every((column) => present.has(column))
  })
}

interface Sqlite {
  DatabaseSync: new (
    path: string,
    options: { readOnly: boolean; timeout: number },
  ) => {
    prepare(sql: string): { all(...values: string[]): Fields[] }
    close(): void
  }
}

/**
 * Loads Node's own SQLite. Some versions warn that SQLite is experimental. The warning is suppressed, because the
 * person did not ask for SQLite.
 */
function loadSqlite(): Sqlite | undefined {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return (process.getBuiltinModule as (id: string) => unknown)('node:sqlite') as Sqlite | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
