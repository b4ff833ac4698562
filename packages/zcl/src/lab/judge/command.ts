// `zcl judge`: derives the verdict of a judge model again from its stored votes, or asks it again.
import { readJsonArtifact } from '@zee/evidence/artifact'
import { labArtifactName } from '@zee/evidence/layout'
import type { Host } from '@zee/core/exit'
import { isObject } from '@zee/core/json'
import { resolveTarget } from '../../attempts/attempts.ts'
import { complain, printJson, printLines } from '../../output/output.ts'
import { redactorFor } from '../../redaction/redaction.ts'
import { zclError } from '../../errors/errors.ts'
import { askJudge, verdictOf, type JudgeResult } from './judge.ts'

export interface JudgeOptions {
  live: boolean
  json: boolean
}

export async function runJudge(
  target: string | undefined,
  options: JudgeOptions,
  host: Host,
): Promise<number> {
  const { folder } = await resolveTarget(target, host, 'attempt')
  const read = readJsonArtifact({ path: folder, within: folder }, labArtifactName.judge)
  if (read.failure !== undefined) {
    const message = `${folder} has no ${labArtifactName.judge}`
    throw zclError('ZCL_E_MISSING_ARTIFACT', message)
  }
  const stored = read.value as unknown as JudgeResult
  if (!Array.isArray(stored.votes)) {
    throw zclError('ZCL_E_CONTRACT', `${labArtifactName.judge}: votes is not a list`)
  }
  const votes = stored.votes.filter(isObject)
  const now = options.live ? await askAgain(stored, host) : verdictOf(votes)
  const matches = now.ok === stored.ok
  const { ok, yes, no, invalid } = now
  if (options.json) {
    printJson(host, { ok: matches, verdict: ok, recorded: stored.ok, matches, yes, no, invalid })
  } else {
    const word = ok === null ? 'undecided' : ok ? 'accepted' : 'rejected'
    printLines(host, [
      `${word}: ${yes} yes, ${no} no, ${invalid} invalid${matches ? '' : ', another verdict than recorded'}`,
    ])
  }
  if (!matches) complain(host, 'ZCL_E_JUDGE_FAILED', 'the verdict differs from the recorded one')
  return matches ? 0 : 2
}

function askAgain(stored: JudgeResult, host: Host): Promise<JudgeResult> {
  const { provider, model, question, votes } = stored
  return askJudge(
    {
      spec: { provider, model, rubric: '', votes: votes.length },
      env: host.env,
      baseFolder: host.cwd,
      redactor: redactorFor(host),
      cacheFolder: undefined,
      signal: new AbortController().signal,
    },
    question,
  )
}
