// `zcl feedback`: records the outcome of an attempt.
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { attemptFromEnvironment } from '@zee/evidence/attempt'
import { writeFeedback } from '@zee/evidence/outcome'
import { artifactName } from '@zee/evidence/layout'
import type { FeedbackFile } from '@zee/evidence/schema'
import { decisionTags } from '@zee/evidence/vocabulary'
import { recordedNow } from '../../clock/clock.ts'
import { complain } from '../../output/output.ts'
import { redactorFor } from '../../redaction/redaction.ts'
import { zclError } from '../../errors/errors.ts'
import { printWritten, wrongOptions } from '../written.ts'

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
  if (options.ok === options.fail) throw wrongOptions('exactly one of --ok and --fail')
  if ((options.result === undefined) === (options.resultJson === undefined)) {
    throw wrongOptions('exactly one of --result and --result-json')
  }
  if (options.hypothesis && options.classification === undefined) {
    throw wrongOptions('--classification with --hypothesis')
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
  return printWritten(host, options.json, artifactName.feedback, context)
}

type DecisionTag = (typeof decisionTags)[number]

function tagsOf(words: readonly string[]): DecisionTag[] {
  return words.map((text) => {
    const tag = text.trim().toLowerCase()
    if ((decisionTags as readonly string[]).includes(tag)) return tag as DecisionTag
    throw zclError('ZCL_E_USAGE', `'${text}' is not one of the tags ${decisionTags.join(', ')}`)
  })
}
