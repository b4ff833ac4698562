// Connections to PostgreSQL through the optional package `pg`. It is resolved from zeno's own folder only, so that a
// repository cannot make zeno load its code.
import { createRequire } from 'node:module'
import type { Duplex } from 'node:stream'
import { oneLine, reasonOf, usageError, ZeeError } from '@zee/core/errors'

export interface Queries {
  /** Rejects with a DatabaseError. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
}

export interface Database extends Queries {
  /** Host and name of the database, without user and password. */
  readonly label: string
  /** Runs queries on one connection, which also holds advisory locks. */
  session<Value>(work: (session: Session) => Promise<Value>): Promise<Value>
  close(): Promise<void>
}

export interface Session extends Queries {
  transaction<Value>(work: () => Promise<Value>): Promise<Value>
}

export interface DatabaseOptions {
  /** Time limit of one query; none by default. */
  timeoutMs?: number
  connections?: number
  /** Settings of the sessions. */
  settings?: Readonly<Record<string, string>>
}

/** A database that does not answer, or an answer that is an error. */
export class DatabaseError extends ZeeError {
  readonly sqlState: string | undefined

  constructor(label: string, error: unknown) {
    super('fleet', `${label}: ${oneLine(reasonOf(error))}`, { cause: error })
    const code = (error as { code?: unknown } | null)?.code
    this.sqlState = typeof code === 'string' ? code : undefined
  }
}

interface PgClient {
  query(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>
  release(destroy?: boolean): void
}

interface PgPool {
  query(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>
  connect(): Promise<PgClient>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): void
}

/** Internal to `pg`, but the only place that sees the bytes of a connection, with TLS and without. */
interface PgConnection {
  on(event: 'message', listener: () => void): void
  attachListeners(stream: Duplex): void
}

interface PgModule {
  Pool: new (settings: object) => PgPool
  Client: new (settings: object) => { connection: PgConnection }
}

const packageName = 'pg'
/** The version that zeno is tested with. */
const packageVersion = '8.23.1'
const connectMs = 5000
/**
 * `pg` collects a message before it reads it, whatever length the server announces. The longest row is a file
 * of 50 MB in base64, 68 MB.
 */
const maxMessageBytes = 72 * 1024 * 1024

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const label = labelOf(url)
  const { timeoutMs, connections = 4, settings = {} } = options
  const pg = loadPg()
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const pool = new pg.Pool({
    Client: boundedClient(pg),
    connectionString: url,
    max: connections,
    application_name: 'zeno',
    connectionTimeoutMillis: connectMs,
    allowExitOnIdle: true,
    ...(flags.length === 0 ? {} : { options: flags.join(' ') }),
    query_timeout: timeoutMs,
  })
  // An idle connection that breaks is replaced; the next query reports a database that is gone.
  pool.on('error', () => {})
  const queries = (client: Pick<PgClient, 'query'>): Queries => ({
    async query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
      try {
        return (await client.query(sql, values)).rows as Row[]
      } catch (error) {
        throw new DatabaseError(label, error)
      }
    },
  })
  return {
    label,
    ...queries(pool),
    async session(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw new DatabaseError(label, error)
      })
      let isBroken = true
      try {
        const value = await work(sessionOf(queries(client)))
        isBroken = false
        return value
      } finally {
        // A new connection after a failure: the old one may be in a transaction, or hold locks.
        client.release(isBroken)
      }
    },
    async close() {
      await pool.end().catch(() => {})
    },
  }
}

/** A client whose connection ends when a message of the server is too long. */
function boundedClient({ Client }: PgModule): PgModule['Client'] {
  return class extends Client {
    constructor(settings: object) {
      super(settings)
      const { connection } = this
      const attach = connection.attachListeners.bind(connection)
      connection.attachListeners = (stream) => {
        let bytes = 0
        connection.on('message', () => (bytes = 0))
        stream.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes <= maxMessageBytes) return
          stream.destroy(new Error('the server sent a message of more than 72 MiB'))
        })
        attach(stream)
      }
    }
  }
}

function sessionOf(queries: Queries): Session {
  return {
    ...queries,
    async transaction(work) {
      await queries.query('begin')
      try {
        const value = await work()
        await queries.query('commit')
        return value
      } catch (error) {
        await queries.query('rollback').catch(() => {})
        throw error
      }
    },
  }
}

function loadPg(): PgModule {
  try {
    return createRequire(__filename)(packageName) as PgModule
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
    const what = isAbsent ? 'which is not installed' : `which cannot be loaded (${reasonOf(error)})`
    const message = `a fleet needs the package ${packageName}, ${what}; where zeno is installed, run: npm install ${packageName}@${packageVersion}`
    throw new ZeeError('fleet_package', message, { cause: error })
  }
}

/** Host and name of a database, without user and password. */
export function labelOf(url: string): string {
  try {
    const { protocol, host, pathname, searchParams } = new URL(url)
    if (protocol !== 'postgres:' && protocol !== 'postgresql:') throw new Error('not PostgreSQL')
    return oneLine(`${host || (searchParams.get('host') ?? 'local')}${pathname}`)
  } catch {
    throw usageError('a database is a URL such as postgresql://user@host/name')
  }
}
