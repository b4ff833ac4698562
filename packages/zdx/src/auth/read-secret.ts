// Reads a secret without showing it: from a terminal with echo off, or from a pipe.
import type { Host } from '@zee/core/exit'
import { usageError, ZeeError } from '@zee/core/errors'

const maxBytes = 64 * 1024

export async function readPipedSecret(host: Host): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of host.stdin) {
    size += chunk.length
    if (size > maxBytes) throw new ZeeError('no_key', 'that is too long for a key')
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function askSecret(host: Host, question: string): Promise<string> {
  const { stdin, stderr } = host
  if (stdin.isTTY !== true) {
    throw usageError('there is no terminal to ask on: give the key with --stdin')
  }
  // Before the question: whoever answers at once must not see it either.
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
            reject(new ZeeError('interrupted', 'no key was given', { exitCode: 130 })),
          )
        }
        text = key === '\u007f' || key === '\b' ? text.slice(0, -1) : text + key
      }
    }
    stdin.on('data', onData)
  })
}
