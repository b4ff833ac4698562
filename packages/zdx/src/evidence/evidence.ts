// Evidence for zcl. The code that writes it is loaded only inside an attempt.
import type { Turn } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import type { WriteFeedback } from './write-feedback.ts'

/** Records tool calls if the environment names an attempt. */
export async function openEvidence(
  host: Host,
): Promise<{ turn: Pick<Turn, 'around'>; warnings: readonly string[] }> {
  if (!host.env.ZCL_OUT_DIR) return { turn: {}, warnings: [] }
  const { around, warning } = (await import('./trace-calls.ts')).traceCalls(host)
  return {
    turn: { around },
    warnings: warning === undefined ? [] : [warning],
  }
}

/** The writer for `--zcl-feedback`; a usage error if the environment names no attempt. */
export async function openFeedback(host: Host): Promise<WriteFeedback> {
  return (await import('./write-feedback.ts')).feedbackWriter(host)
}
