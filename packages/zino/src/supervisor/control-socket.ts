// The path of the supervisor's control socket: next to the daemon's socket.
import path from 'node:path'
import { controlSocketName } from '../client/client.ts'
import type { ZinoConfig } from '../config/config.ts'

export function controlSocket(config: ZinoConfig): string {
  return path.join(path.dirname(config.daemon.socket), controlSocketName)
}
