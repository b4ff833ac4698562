// `zdx exec`: one prompt, the answer on stdout, an exit code.
import { reasonOf } from '@zee/core/errors'
import { during } from '../errors/errors.ts'
import { openOutcome } from '../evidence/evidence.ts'
import type { Ended, ExecCall } from './exec.ts'
import { execute } from './exec.ts'

export async function runExec(call: ExecCall): Promise<number> {
  if (!call.options.zclFeedback) return exitCodeOf(await execute(call))
  const write = await openOutcome(call.host)
  const ended = await execute(call).catch((error: unknown) => ({ code: 1, text: '', error }))
  await during('write feedback', () => write(ended.code === 0, ended.text || wordsFor(ended)))
  return exitCodeOf(ended)
}

/** What stands for an answer where there is none. */
function wordsFor({ code, error }: Ended): string {
  if (error !== undefined) return reasonOf(error)
  return code === 0 ? 'no answer' : 'interrupted'
}

function exitCodeOf({ code, error }: Ended): number {
  if (error !== undefined) throw error
  return code
}
