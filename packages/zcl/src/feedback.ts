// `zcl feedback` and `zcl note`: the outcome of an attempt, and what somebody has to say about it.
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { attemptFromEnvironment, type AttemptContext } from '@zee/evidence/attempt'
import { zclError } from '@zee/evidence/errors'
import { appendNote, writeFeedback } from '@zee/evidence/outcome'
import { artifactName } from '@zee/evidence/layout'
import type { FeedbackFile } from '@zee/evidence/schema'
import { decisionTags, type noteKinds } from '@zee/evidence/vocabulary'
import { recordedNow } from './clocks.ts'
import { complain, printJson, printLines } from './output.ts'
import { redactorFor } from './redaction.ts'

export interface FeedbackOptions {
  ok: boolean
  fail: boolean
  result: string | undefined
  resultJson: string | undefined
  classification: string | undefined
  hypothesis: boolean
  decisionTag: readonly string[]
  decisionTags: readonly string[] | undefined
  json: boolean
}

export async function runFeedback(options: FeedbackOptions, host: Host): Promise<number> {
  if (options.ok === options.fail) throw usage('exactly one of --ok and --fail')
  if ((options.result === undefined) === (options.resultJson === undefined)) {
    throw usage('exactly one of --result and --result-json')
  }
  if (options.hypothesis && options.classification === undefined) {
    throw usage('--classification with --hypothesis')
  }
  const tags = tagsOf([...options.decisionTag, ...(options.decisionTags ?? [])])
  const context = attemptFromEnvironment(host.env, host.cwd)
  const { bypassSuspected } = await writeFeedback(
    context,
    {
      ok: options.ok,
      result: options.result,
      resultJson: options.resultJson,
      classification: options.classification as FeedbackFile['classification'],
      isHypothesis: options.hypothesis,
      decisionTags: tags,
      createdAt: rfc3339(recordedNow(host)),
    },
    redactorFor(host),
  )
  if (bypassSuspected) {
    complain(host, 'ZCL_W_FUNNEL_BYPASS_SUSPECTED', 'no action of this attempt was traced')
  }
  return answer(host, options.json, artifactName.feedback, context)
}

export interface NoteOptions {
  kind: string
  message: string | undefined
  dataJson: string | undefined
  tags: readonly string[] | undefined
  json: boolean
}

export async function runNote(options: NoteOptions, host: Host): Promise<number> {
  if ((options.message === undefined) === (options.dataJson === undefined)) {
    throw usage('exactly one of --message and --data-json')
  }
  const context = attemptFromEnvironment(host.env, host.cwd)
  await appendNote(
    context,
    {
      kind: options.kind as (typeof noteKinds)[number],
      message: options.message,
      dataJson: options.dataJson,
      tags: options.tags ?? [],
      at: host.clock.now(),
    },
    redactorFor(host),
  )
  return answer(host, options.json, artifactName.notes, context)
}

function usage(what: string): Error {
  return zclError('ZCL_E_USAGE', `it takes ${what}`)
}

type DecisionTag = (typeof decisionTags)[number]

function tagsOf(given: readonly string[]): DecisionTag[] {
  return given.map((text) => {
    const tag = text.trim().toLowerCase()
    if ((decisionTags as readonly string[]).includes(tag)) return tag as DecisionTag
    throw zclError('ZCL_E_USAGE', `'${text}' is not one of the tags ${decisionTags.join(', ')}`)
  })
}

function answer(host: Host, json: boolean, file: string, context: AttemptContext): number {
  const { runId, suiteId, missionId, attemptId } = context.identity
  if (json) printJson(host, { ok: true, path: file, runId, suiteId, missionId, attemptId })
  else printLines(host, [`${file} written for ${attemptId}`])
  return 0
}
