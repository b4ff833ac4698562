// The system keeps a Unix socket's path in a fixed field; a longer one must not be cut in silence.
import { ZeeError } from '@zee/core/errors'

const maxPathBytes = process.platform === 'linux' ? 107 : 103

export function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path)
  if (bytes === 0 || path.includes('\0')) {
    throw new ZeeError('socket_path', 'a socket path is empty or holds a zero byte')
  }
  if (bytes <= maxPathBytes) return
  throw new ZeeError(
    'socket_path',
    `the socket path ${path} has ${bytes} bytes, the system allows ${maxPathBytes}: ` +
      'choose a shorter folder for the sockets',
  )
}
