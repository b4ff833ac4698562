// The path of the supervisor's control socket: next to the daemon's socket.
import { controlSocketBeside } from '../client/client.ts'
import type { ZinoConfig } from '../config/config.ts'

export function controlSocket(config: ZinoConfig): string {
  return controlSocketBeside(config.daemon.socket)
}
