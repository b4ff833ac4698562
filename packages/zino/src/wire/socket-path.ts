// Checks the length of a Unix socket path: sun_path holds 107 bytes on Linux and 103 on macOS, and a
// longer path would be truncated silently.
import { ZeeError } from '@zee/core/errors'

const maxPathBytes = process.platform === 'linux' ? 107 : 103

export function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path)
  if (bytes === 0 || path.includes('\0')) {
    throw new ZeeError('socket_path', 'the socket path is empty or contains a NUL byte')
  }
  if (bytes <= maxPathBytes) return
  throw new ZeeError(
    'socket_path',
    `the socket path ${path} has ${bytes} bytes, the system allows ${maxPathBytes}: ` +
      'choose a socket folder with a shorter path',
  )
}
