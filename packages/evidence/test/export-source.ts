// Attempts in memory for tests of the export formats.
import { storedEvent } from '../src/events/events.ts'
import type { ExportAttempt, ExportSource, JudgedReport } from '../src/exports/source.ts'
import { judgementOf, judgeReport } from '../src/judgement/judgement.ts'
import type { Judgement } from '../src/judgement/judgement.ts'

type Loose = Readonly<Record<string, unknown>>

export const start = '2026-01-02T03:04:05Z'
export const startMs = Date.parse(start)

/** The record of a successful call of one second. */
export function callRecord(more: Loose): Loose {
  return {
    v: 1,
    ts: start,
    tool: 'cli',
    op: 'exec',
    input: { argv: ['/bin/ls', '-l'] },
    result: { ok: true, durationMs: 1000, exitCode: 0 },
    io: { outBytes: 3, errBytes: 0, outPreview: 'out' },
    ...more,
  }
}

export function exportAttempt(
  more: Partial<Omit<ExportAttempt, 'events'>> = {},
  records: readonly Loose[] = [],
): ExportAttempt {
  return {
    attemptId: '001-m-r1',
    attempt: { runId: 'r', suiteId: 's', missionId: 'm', mode: 'ci', startedAt: start },
    feedback: undefined,
    outcome: undefined,
    isSuperseded: false,
    runnerMetrics: undefined,
    prompt: undefined,
    messages: [],
    judged: judgedAs(judgementOfParts(more)),
    async *events() {
      for (const [index, record] of records.entries()) yield storedEvent({ ...record }, index)
    },
    ...more,
  }
}

function judgementOfParts({ outcome, feedback }: Partial<ExportAttempt>): Judgement {
  if (outcome !== undefined) return judgementOf(outcome as Parameters<typeof judgementOf>[0])
  return judgeReport({ ...feedback })
}

export function judgedAs(judgement: Judgement, metrics?: Loose): () => JudgedReport {
  return () => ({ judgement, metrics: metrics as JudgedReport['metrics'] })
}

export function exportSource(...attempts: ExportAttempt[]): ExportSource {
  return { runId: 'r', suiteId: 's', attempts }
}

export async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}
