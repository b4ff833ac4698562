// Without tokens, an HTTP server answers only programs of its own user. The kernel knows the user of the other end of a
// loopback connection.
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

const tables = ['/proc/net/tcp', '/proc/net/tcp6']

/** Whether the client of a loopback connection runs as this user. False if the system cannot tell. */
export function isSameUser(socket: Pick<Socket, 'remotePort' | 'localPort'>): boolean {
  const user = process.getuid?.()
  const { remotePort, localPort } = socket
  if (user === undefined || remotePort === undefined || localPort === undefined) return false
  return tables.some((table) => userOfClient(readTable(table), remotePort, localPort) === user)
}

/** The user that owns the client's end: its local port is our remote port. */
export function userOfClient(
  table: string,
  clientPort: number,
  serverPort: number,
): number | undefined {
  const own = `:${hexPort(clientPort)}`
  const other = `:${hexPort(serverPort)}`
  for (const line of table.split('\n')) {
    const [, local, remote, , , , , user] = line.trim().split(/\s+/)
    if (local?.endsWith(own) === true && remote?.endsWith(other) === true) return Number(user)
  }
  return undefined
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}

function readTable(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
