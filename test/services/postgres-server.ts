// Starts a PostgreSQL cluster for a test, in a temporary folder and on a free loopback port. PostgreSQL refuses to run as
// root, so root starts it as the user of the Debian package.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface PostgresServer {
  port: number
  /** Creates a database and returns its URL. */
  createDatabase(name: string): string
  /** Runs SQL and returns its output, unaligned and without headers. */
  sql(database: string, text: string): string
  stop(): Promise<void>
}

interface User {
  uid?: number
  gid?: number
}

export async function startPostgres(): Promise<PostgresServer> {
  const bin = binFolder()
  const user = serverUser()
  const folder = mkdtempSync(path.join(tmpdir(), 'zee-postgres-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? 0)
  const data = path.join(folder, 'data')
  const init = ['-D', data, '-E', 'UTF8', '--locale=C', '-A', 'trust', '-U', 'postgres', '-N']
  execFileSync(path.join(bin, 'initdb'), init, { ...user, cwd: folder, stdio: 'ignore' })
  const port = await freePort()
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  })
  const ended = once(server, 'exit')
  const sql = (database: string, text: string): string => {
    const target = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', database]
    return execFileSync('psql', [...target, '-Atqc', text], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  }
  await waitForServer(() => sql('postgres', 'select 1'))
  return {
    port,
    sql,
    createDatabase(name) {
      sql('postgres', `create database ${name}`)
      return `postgresql://postgres@127.0.0.1:${port}/${name}`
    },
    async stop() {
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function binFolder(): string {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0]
  if (newest !== undefined) return path.join(debian, newest, 'bin')
  return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim()
}

function serverUser(): User {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function waitForServer(ask: () => string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end;) {
    try {
      ask()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  throw new Error('PostgreSQL does not answer: install it with apt-get install postgresql')
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

/** A loopback proxy in front of a server, which can fall silent. */
export class SilentProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isSilent = false
  #bytesLeft = Infinity
  /** Bytes of answers so far. */
  passed = 0

  private constructor(target: number) {
    this.#server = createServer((client) => {
      const upstream = connect(target, '127.0.0.1')
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket)
        socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket))
      }
      client.on('data', (bytes) => void (this.#isSilent || upstream.write(bytes)))
      upstream.on('data', (bytes) => {
        this.#bytesLeft -= bytes.length
        if (this.#bytesLeft < 0) this.#isSilent = true
        if (this.#isSilent) return
        this.passed += bytes.length
        client.write(bytes)
      })
      client.once('close', () => upstream.destroy())
      upstream.once('close', () => client.destroy())
    })
  }

  static async open(target: number): Promise<SilentProxy> {
    const proxy = new SilentProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Passes `bytes` more bytes of answers, then none. */
  silenceAfter(bytes: number): void {
    this.#bytesLeft = bytes
  }

  speak(): void {
    this.#bytesLeft = Infinity
    this.#isSilent = false
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
