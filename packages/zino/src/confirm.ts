// Asks before a command that cannot be undone. Without a terminal it needs --yes.
import { createInterface } from 'node:readline'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'

/** Resolves to whether to go on; prints that nothing was changed otherwise. */
export async function confirm(question: string, isSure: boolean, host: Host): Promise<boolean> {
  if (isSure) return true
  if (host.stdin.isTTY !== true) {
    throw usageError(`${question} There is no terminal to ask on: add --yes`)
  }
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
