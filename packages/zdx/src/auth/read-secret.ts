// Reads a secret without echoing it, from a terminal or from a pipe.
import type { Host } from '@zee/core/exit'
import { usageError, ZeeError } from '@zee/core/errors'

const maxBytes = 64 * 1024

export async function readPipedSecret(host: Host): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of host.stdin) {
    size += chunk.length
    if (size > maxBytes) throw new ZeeError('no_key', 'the key is too long (at most 64 KiB)')
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function askSecret(host: Host, question: string): Promise<string> {
  const { stdin, stderr } = host
  if (stdin.isTTY !== true) {
    throw usageError('stdin is not a terminal: pass the key with --stdin')
  }
  // Raw mode first: keys typed before the prompt appears must not be echoed.
  stdin.setRawMode(true)
  stdin.resume()
  stderr.write(question)
  return new Promise((resolve, reject) => {
    let text = ''
    const settle = (work: () => void) => {
      stdin.setRawMode(false)
      stdin.removeListener('data', onData)
      stdin.destroy()
      stderr.write('\n')
      work()
    }
    const onData = (chunk: Buffer) => {
      for (const key of chunk.toString('utf8')) {
        if (key === '\r' || key === '\n') return settle(() => resolve(text))
        if (key === '\u0003' || key === '\u0004') {
          return settle(() =>
            reject(new ZeeError('interrupted', 'no key entered', { exitCode: 130 })),
          )
        }
        text = key === '\u007f' || key === '\b' ? text.slice(0, -1) : text + key
      }
    }
    stdin.on('data', onData)
  })
}
