// What zdx leaves for zcl. Nothing of it is loaded unless it is asked for.
import type { Turn } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import type { WriteOutcome } from './write-feedback.ts'

/** Evidence of tool calls, when the environment names an attempt. */
export async function openEvidence(
  host: Host,
): Promise<{ turn: Pick<Turn, 'around'>; warnings: readonly string[] }> {
  if (!host.env.ZCL_OUT_DIR) return { turn: {}, warnings: [] }
  const { around, warning } = (await import('./trace-calls.ts')).traceCalls(host)
  return {
    turn: around === undefined ? {} : { around },
    warnings: warning === undefined ? [] : [warning],
  }
}

/** For `--zcl-feedback`; refused when the environment names no attempt. */
export async function openOutcome(host: Host): Promise<WriteOutcome> {
  return (await import('./write-feedback.ts')).outcomeWriter(host)
}
