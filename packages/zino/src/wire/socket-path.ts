// Checks the length of a Unix socket path.
import { ZeeError } from '@zee/core/errors'
import { maxSocketPathBytes } from '@zee/core/unix-socket'

export function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path)
  if (bytes === 0 || path.includes('\0')) {
    throw new ZeeError('socket_path', 'the socket path is empty or contains a NUL byte')
  }
  if (bytes <= maxSocketPathBytes) return
  throw new ZeeError(
    'socket_path',
    `the socket path ${path} has ${bytes} bytes, the system allows ${maxSocketPathBytes}: ` +
      'choose a socket folder with a shorter path',
  )
}
