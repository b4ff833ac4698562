// Compares the trace of a fork with its recording: the first call that differs, and whether all is equal.
import { canonicalJson } from '@zee/core/canonical-json'
import type { Redactor } from '@zee/core/redact'
import { readJsonArtifact } from '@zee/evidence/artifact'
import { identityOf, readAttemptFile } from '@zee/evidence/attempt'
import { callName, eventsByStart, type StoredEvent } from '@zee/evidence/events'
import { asObject } from '@zee/evidence/json'
import { artifactName } from '@zee/evidence/layout'
import { readFunnelCalls } from '../../served/served.ts'

export interface Divergence {
  /** 1-based among the calls of funnels. */
  call: number
  /** The recorded call; null if the fork calls more than the recording. */
  recorded: string | null
  /** The call of the fork; null if it ends before the recording. */
  made: string | null
}

export interface Comparison {
  identical: boolean
  divergence: Divergence | null
}

export async function compareTraces(
  source: string,
  fork: string,
  redactor: Redactor,
): Promise<Comparison> {
  const [recorded, made] = [await callsOf(source, redactor), await callsOf(fork, redactor)]
  const length = Math.max(recorded.length, made.length)
  let divergence: Divergence | null = null
  for (let at = 0; at < length && divergence === null; at++) {
    if (recorded[at]?.key === made[at]?.key) continue
    divergence = {
      call: at + 1,
      recorded: recorded[at]?.title ?? null,
      made: made[at]?.title ?? null,
    }
  }
  const isSame = (await contentOf(source)) === (await contentOf(fork))
  return { identical: divergence === null && isSame, divergence }
}

async function callsOf(folder: string, redactor: Redactor) {
  const calls: { key: string; title: string }[] = []
  for await (const { event, number, keys } of readFunnelCalls(folder, redactor)) {
    if (number > 0) calls.push({ key: keys[0] ?? '', title: titleOf(event) })
  }
  return calls
}

const maxTitleChars = 200

function titleOf(event: StoredEvent): string {
  return wordsOf(event).join(' ').trim().slice(0, maxTitleChars)
}

/** All that matches a call with a recorded one, so that two titles of different calls differ. */
function wordsOf(event: StoredEvent): string[] {
  const { tool, input } = event
  const { argv, method, url, body, params } = input
  if (Array.isArray(argv)) return argv.map(String)
  if (tool === 'http') return [tool, ...[method, url, body].map((each) => String(each ?? ''))]
  return [tool, callName(event), canonicalJson(asObject(params).arguments ?? {})]
}

/** Everything that the agent asked, saw and reported, without ids and times. */
async function contentOf(folder: string): Promise<string> {
  const events: unknown[] = []
  for await (const { tool, op, input, record } of eventsByStart(folder)) {
    const { ok, code, exitCode } = asObject(record.result)
    events.push([tool, op, input, ok, code, exitCode, record.io])
  }
  const feedback = readJsonArtifact({ path: folder, within: folder }, artifactName.feedback)
  const { ok, result, resultJson } = feedback.failure === undefined ? feedback.value : {}
  const text = JSON.stringify([events, ok, result, resultJson])
  const { runId, attemptId } = identityOf(readAttemptFile(folder))
  return text.replaceAll(runId, '{run}').replaceAll(attemptId, '{attempt}')
}
