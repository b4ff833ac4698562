// TLS through an HTTP proxy (CONNECT). `node:http` is loaded with the first request and `node:https` with
// the first https URL: a screenplay needs neither, a local server no TLS.
import type * as http from 'node:http'
import type { AgentOptions, ClientRequest } from 'node:http'
import type * as https from 'node:https'
import type { Socket } from 'node:net'
import { ModelError } from '../errors/errors.ts'
import { hostOf, portOf, proxyHeaders } from './proxy.ts'

/** `getBuiltinModule` loads synchronously, unlike `import()`. Saves 4 ms of a start without requests. */
export function loadHttp(): typeof http {
  return process.getBuiltinModule('node:http')
}

export function loadHttps(): typeof https {
  return process.getBuiltinModule('node:https')
}

/** Request options that Node passes on to the agent's `createConnection`. */
export interface TunnelOptions {
  /** Fires when the request no longer needs the connection. */
  abandoned: AbortSignal
}

interface Target extends TunnelOptions {
  host: string
  port: number
  /** Set by Node's agent; empty for an address. */
  servername: string
}

type OnSocket = (error: Error | null, socket?: Socket) => void

/** An https agent whose connections are tunnels through `proxy`. */
export function tunnelAgent(proxy: URL, options: AgentOptions): http.Agent {
  const agent = new (loadHttps().Agent)(options)
  const createConnection = (target: Target, onSocket: OnSocket): undefined => {
    openTunnel(proxy, target).then(
      (socket) => onSocket(null, socket),
      (error: Error) => onSocket(error),
    )
  }
  return Object.assign(agent, { createConnection })
}

async function openTunnel(proxy: URL, target: Target): Promise<Socket> {
  const socket = await requestTunnel(proxy, target)
  return startTls(socket, target)
}

function requestTunnel(proxy: URL, target: Target): Promise<Socket> {
  const host = target.host.includes(':') ? `[${target.host}]` : target.host
  const authority = `${host}:${target.port}`
  return new Promise((resolve, reject) => {
    const call = openConnectRequest(proxy, authority)
    target.abandoned.addEventListener('abort', () => call.destroy())
    call.once('error', reject)
    call.once('connect', (response, socket: Socket) => {
      const status = response.statusCode ?? 0
      if (status >= 200 && status < 300) return resolve(socket)
      socket.destroy()
      reject(proxyRefusal(proxy, status))
    })
    call.end()
  })
}

function openConnectRequest(proxy: URL, authority: string): ClientRequest {
  const module = proxy.protocol === 'https:' ? loadHttps() : loadHttp()
  return module.request({
    method: 'CONNECT',
    host: hostOf(proxy),
    port: portOf(proxy),
    path: authority,
    headers: { host: authority, ...proxyHeaders(proxy) },
    agent: false,
  })
}

function startTls(socket: Socket, target: Target): Promise<Socket> {
  const { connect } = process.getBuiltinModule('node:tls')
  return new Promise((resolve, reject) => {
    const secure = connect({ socket, host: target.host, servername: target.servername })
    target.abandoned.addEventListener('abort', () => secure.destroy())
    secure.once('error', reject)
    secure.once('secureConnect', () => {
      secure.removeListener('error', reject)
      resolve(secure)
    })
  })
}

function proxyRefusal(proxy: URL, status: number): ModelError {
  const message = `Connection failed: the proxy ${proxy.host} answered ${status} to CONNECT`
  return new ModelError('timeout', message, { transient: status >= 500 })
}
