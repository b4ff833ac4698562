// The only way out of a jail with hosts: an HTTP proxy on a Unix socket, which connects to allowed hosts
// and refuses others. A script cannot avoid it, because its network namespace is empty.
import { mkdtempSync, rmSync } from 'node:fs'
import { lookup } from 'node:dns/promises'
import type { Server, Socket } from 'node:net'
import { connect, createServer, isIP } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { reasonOf } from '@zee/core/errors'
import { isHostAllowed, refusalOf } from '../../../allow/allow.ts'

export interface HostProxy {
  socket: string
  close(): void
}

export type HostLists = readonly (readonly string[])[]

const maxHeadBytes = 64 * 1024
const headDeadlineMs = 30_000
const connectDeadlineMs = 30_000

export async function openHostProxy(lists: HostLists): Promise<HostProxy> {
  const folder = mkdtempSync(path.join(tmpdir(), 'zino-proxy-'))
  const socket = path.join(folder, 's')
  const peers = new Set<Socket>()
  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    const track = (peer: Socket) => {
      peers.add(peer)
      peer.on('close', () => peers.delete(peer)).on('error', () => {})
    }
    track(client)
    void serveClient(client, lists, track).catch(() => client.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(socket, resolve)
  })
  return {
    socket,
    close: () => {
      server.close()
      for (const peer of peers) peer.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function serveClient(
  client: Socket,
  lists: HostLists,
  track: (peer: Socket) => void,
): Promise<void> {
  client.setTimeout(headDeadlineMs, () => client.destroy())
  const { head, rest } = await readHead(client)
  client.setTimeout(0)
  const target = targetOf(head)
  if (target === undefined) return refuse(client, 400, 'the request is not understood')
  const { host, port } = target
  if (!isHostAllowed(lists, host, port)) {
    const hosts = lists.flat().join(', ') || 'none'
    return refuse(client, 403, refusalOf('hosts', `scripts of this turn may reach ${hosts}`))
  }
  let upstream: Socket
  try {
    upstream = await connectTo(host, port)
  } catch (error) {
    return refuse(client, 502, reasonOf(error))
  }
  track(upstream)
  if (target.head === undefined) client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  else upstream.write(target.head)
  upstream.write(rest)
  client.pipe(upstream)
  upstream.pipe(client)
  client.on('close', () => upstream.destroy())
  upstream.on('close', () => client.destroy())
}

/** Everything up to the blank line, and what came after it. */
function readHead(client: Socket): Promise<{ head: string; rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const onData = (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece])
      const end = bytes.indexOf('\r\n\r\n')
      if (end === -1 && bytes.length <= maxHeadBytes) return
      client.pause().off('data', onData)
      if (end === -1) reject(new Error('the head of the request is too long'))
      else
        resolve({ head: bytes.subarray(0, end).toString('latin1'), rest: bytes.subarray(end + 4) })
    }
    client.on('data', onData).once('end', () => reject(new Error('the client has left')))
    client.once('close', () => reject(new Error('the client has left')))
  })
}

interface Target {
  host: string
  port: number
  /** The head for the server; absent for a tunnel. */
  head?: string
}

function targetOf(head: string): Target | undefined {
  const [first = '', ...lines] = head.split('\r\n')
  const [method = '', address = '', version = ''] = first.split(' ')
  if (!version.startsWith('HTTP/1.')) return undefined
  try {
    if (method === 'CONNECT') {
      const { hostname, port } = new URL(`tunnel://${address}`)
      return hostname === '' ? undefined : { host: bare(hostname), port: Number(port || 443) }
    }
    const url = new URL(address)
    if (url.protocol !== 'http:') return undefined
    // One request per connection: the next one may have another host.
    const kept = lines.filter(
      (line) => !/^(?:proxy-[a-z-]+|connection|keep-alive|host):/i.test(line),
    )
    const own = [`Host: ${url.host}`, 'Connection: close']
    const request = `${method} ${url.pathname}${url.search} ${version}`
    const port = Number(url.port || 80)
    return {
      host: bare(url.hostname),
      port,
      head: `${[request, ...own, ...kept].join('\r\n')}\r\n\r\n`,
    }
  } catch {
    return undefined
  }
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Connects to the address that was checked, so that a second answer of the name server changes nothing. */
async function connectTo(host: string, port: number): Promise<Socket> {
  const { address } = await lookup(host)
  const isNamed = isIP(host) === 0 && host !== 'localhost'
  if (isNamed && isOwnMachine(address)) throw new Error(`${host} is an address of this machine`)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, allowHalfOpen: true })
    socket.setTimeout(connectDeadlineMs, () => socket.destroy(new Error(`${host} does not answer`)))
    socket.once('error', reject).once('connect', () => {
      socket.setTimeout(0)
      resolve(socket)
    })
  })
}

/** A name that the user has allowed must not lead to services of this machine or its cloud. */
function isOwnMachine(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  return /^(?:127\.|0\.|169\.254\.|::1?$|fe[89ab])/i.test(plain)
}

function refuse(client: Socket, status: number, reason: string): void {
  const body = `${reason}\n`
  const length = Buffer.byteLength(body)
  const fields = `Content-Type: text/plain\r\nContent-Length: ${length}\r\nConnection: close`
  client.end(`HTTP/1.1 ${status} Refused\r\n${fields}\r\n\r\n${body}`)
}
