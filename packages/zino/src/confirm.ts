// Asks before a command that cannot be undone. Without a terminal there is no question.
import { createInterface } from 'node:readline'
import type { Host } from '@zee/core/exit'

/** Resolves to whether to go on; prints that nothing was done otherwise. */
export async function confirm(question: string, isSure: boolean, host: Host): Promise<boolean> {
  if (isSure || host.stdin.isTTY !== true) return true
  const lines = createInterface({ input: host.stdin, output: host.stderr })
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''))
      lines.question(`${question} [y/N] `, resolve)
    })
    if (/^y(es)?$/i.test(answer.trim())) return true
    host.stderr.write('nothing was changed\n')
    return false
  } finally {
    lines.close()
  }
}
