// Without tokens, an HTTP server answers only programs of its own user. The kernel knows the user of the other end of a
// loopback connection.
import { readFileSync } from 'node:fs'
import net from 'node:net'
import type { Socket } from 'node:net'

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>

/** Knows the users of connections. A table takes 4 ms to read, so one reading serves all connections before it. */
export class ConnectionUsers {
  readonly #numbers = new WeakMap<Ends, number>()
  readonly #own = new WeakMap<Ends, boolean>()
  readonly #tables = new Map<string, { connections: number; text: string }>()
  #connections = 0

  /** Called for every connection, before `isSameUser`. */
  accept(socket: Ends): void {
    this.#numbers.set(socket, ++this.#connections)
  }

  /** Whether the client runs as the user of this process. False if the system cannot tell. */
  isSameUser(socket: Ends): boolean {
    const known = this.#own.get(socket)
    if (known !== undefined) return known
    const isOwn = this.#isOwn(socket)
    this.#own.set(socket, isOwn)
    return isOwn
  }

  #isOwn(socket: Ends): boolean {
    const user = process.getuid?.()
    const remote = addressOf(socket.remoteAddress, socket.remotePort)
    const local = addressOf(socket.localAddress, socket.localPort)
    if (user === undefined || remote === undefined || local === undefined) return false
    const file = remote.length > ipv4Length ? '/proc/net/tcp6' : '/proc/net/tcp'
    return userOfClient(this.#table(file, socket), remote, local) === user
  }

  /** The table as of a time after the connection was made. */
  #table(file: string, socket: Ends): string {
    const number = this.#numbers.get(socket) ?? Infinity
    const known = this.#tables.get(file)
    if (known !== undefined && known.connections >= number) return known.text
    const text = readTable(file)
    this.#tables.set(file, { connections: this.#connections, text })
    return text
  }
}

const ipv4Length = 'AABBCCDD:PPPP'.length

/** The user that owns the client's end: its local address is our remote address. */
export function userOfClient(table: string, remote: string, local: string): number | undefined {
  const at = table.indexOf(` ${remote} ${local} `)
  if (at === -1) return undefined
  const [, , , , , , user] = table.slice(at + 1, at + maxRowChars).split(/\s+/)
  return user === undefined ? undefined : Number(user)
}

const maxRowChars = 200

/** An address as the kernel prints it: words of 4 bytes, in the byte order of the machine. */
export function addressOf(
  address: string | undefined,
  port: number | undefined,
): string | undefined {
  if (address === undefined || port === undefined) return undefined
  const bytes = bytesOf(address.replace(/^::ffff:(?=\d+\.)/i, ''))
  if (bytes === undefined) return undefined
  for (let word = 0; word < bytes.length; word += 4) bytes.subarray(word, word + 4).reverse()
  const hexPort = port.toString(16).padStart(4, '0')
  return `${bytes.toString('hex')}:${hexPort}`.toUpperCase()
}

function bytesOf(address: string): Buffer | undefined {
  if (net.isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  if (!net.isIPv6(address) || address.includes('.')) return undefined
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::')
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const missing = 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function readTable(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
