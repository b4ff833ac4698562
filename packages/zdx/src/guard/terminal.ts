// Reads an answer on the terminal of `zdx exec`, which has no line editor.
import type { Host } from '@zee/core/exit'
import { createInterface } from 'node:readline'
import type { ReadAnswer } from './ask-line.ts'

export function terminalAnswers(host: Host): ReadAnswer {
  return async (text, signal) => {
    host.stderr.write(text)
    const editor = createInterface({ input: host.stdin, output: host.stderr, terminal: true })
    try {
      return await new Promise<string | undefined>((resolve) => {
        // Raw mode delivers Ctrl+C as a key.
        editor.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
        editor.on('close', () => resolve(undefined))
        signal.addEventListener('abort', () => resolve(undefined), { once: true })
        editor.question('allow> ', resolve)
      })
    } finally {
      editor.close()
      host.stdin.pause()
    }
  }
}
