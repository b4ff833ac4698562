// Calls that zcl refuses to start: the deadline has passed, or the same call failed too often in a row.
import { failingStreak } from '@zee/evidence/attempt'
import { noOutput, traceEvent, type ObservedCall } from '@zee/evidence/trace'
import { zclError } from '../errors/errors.ts'
import { appendEvent, tool, writeFully, type Run } from './traced-run.ts'

const expiredExitCode = 124
const refusedExitCode = 2

export async function refuseExpired(run: Run): Promise<number> {
  const message = 'the deadline of the attempt has passed; the command was not started'
  await appendRefusal(run, 'ZCL_E_TIMEOUT', {})
  await writeFully(run.host.stderr, `ZCL_E_TIMEOUT: ${message}\n`)
  return expiredExitCode
}

const defaultMaxStreak = 50

/** The streak of identical failing calls, when it has reached the limit. */
export async function excessiveStreak({ env, context, input }: Run): Promise<number | undefined> {
  const text = env.ZCL_REPEAT_GUARD_MAX_STREAK
  const maxStreak = text === undefined || text === '' ? defaultMaxStreak : Number(text)
  if (!Number.isSafeInteger(maxStreak) || maxStreak < 0) {
    throw zclError('ZCL_E_USAGE', 'ZCL_REPEAT_GUARD_MAX_STREAK must be a whole number, 0 for off')
  }
  if (maxStreak === 0) return undefined
  const streak = await failingStreak(context.folder, { ...tool, input: input.json })
  return streak >= maxStreak ? streak : undefined
}

export async function refuseRepeated(run: Run, streak: number): Promise<number> {
  await appendRefusal(run, 'ZCL_E_TOOL_FAILED', { repeatGuard: { streak } })
  const message = `refused: this call failed ${streak} times in a row`
  const hint = '(ZCL_REPEAT_GUARD_MAX_STREAK)'
  await writeFully(run.host.stderr, `ZCL_E_TOOL_FAILED: ${message} ${hint}\n`)
  return refusedExitCode
}

/** Records a call that zcl refused to start. */
async function appendRefusal(
  run: Run,
  code: 'ZCL_E_TIMEOUT' | 'ZCL_E_TOOL_FAILED',
  enrichment: Record<string, unknown>,
): Promise<void> {
  const call: ObservedCall = {
    ...tool,
    startedAt: run.startedAt,
    input: run.input,
    result: { ok: false, code, durationMs: 0 },
    out: noOutput,
    err: noOutput,
    enrichment: { ...enrichment, notStarted: true },
    parentId: run.parentId,
  }
  await appendEvent(run.context, traceEvent(run.context.identity, call, run.redactor))
}
