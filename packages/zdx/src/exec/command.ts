// `zdx exec`: runs one prompt, and writes feedback for zcl if requested.
import { reasonOf } from '@zee/core/errors'
import { withErrorContext } from '../errors/errors.ts'
import { openFeedback } from '../evidence/evidence.ts'
import type { ExecResult, ExecCall } from './exec.ts'
import { exitCodeOrThrow, runPrompt } from './exec.ts'

export async function runExec(call: ExecCall): Promise<number> {
  if (!call.options.zclFeedback) return exitCodeOrThrow(await runPrompt(call))
  const write = await openFeedback(call.host)
  const result = await runPrompt(call).catch((error: unknown) => ({ code: 1, text: '', error }))
  await withErrorContext('write feedback', () =>
    write(result.code === 0, result.text || resultText(result)),
  )
  return exitCodeOrThrow(result)
}

/** The feedback for a run without an answer. */
function resultText({ code, error }: ExecResult): string {
  if (error !== undefined) return reasonOf(error)
  return code === 0 ? 'no answer' : 'interrupted'
}
