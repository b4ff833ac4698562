// The address of `--http`: `127.0.0.1:8080`, `[::1]:8080`, or a port on the loopback address.
import net from 'node:net'
import { oneLine, usageError } from '@zee/core/errors'

export interface ListenAddress {
  host: string
  port: number
}

export function parseAddress(text: string): ListenAddress {
  const [, bracketed, plain, digits] =
    /^(?:(?:\[([^\]]+)\]|([^:\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain ?? '127.0.0.1'
  const port = Number(digits)
  const isValid = digits !== undefined && port <= 65_535
  if (isValid && (host === 'localhost' || net.isIP(host) !== 0)) return { host, port }
  throw usageError(`--http '${oneLine(text)}' is not an address such as 127.0.0.1:8080`)
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

export function formatAddress({ host, port }: ListenAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
