// `zcl judge`: derives the verdict of a judge model again from its stored votes, or asks it again.
import { artifactError, readJsonArtifact } from '@zee/evidence/artifact'
import { labArtifactName } from '@zee/evidence/layout'
import type { Host } from '@zee/core/exit'
import { isObject } from '@zee/core/json'
import { resolveAttempt } from '../../attempts/attempts.ts'
import { complain, printJson, printLines } from '../../output/output.ts'
import { redactorFor } from '../../redaction/redaction.ts'
import { zclError } from '../../errors/errors.ts'
import { askJudge, requireJudgeKey, verdictOf, type JudgeResult } from './judge.ts'

export interface JudgeOptions {
  live: boolean
  json: boolean
}

export async function runJudge(
  target: string | undefined,
  options: JudgeOptions,
  host: Host,
): Promise<number> {
  const { folder } = await resolveAttempt(target, host)
  const stored = readResult(folder)
  const now = options.live ? await askAgain(stored, host) : verdictOf(stored.votes.filter(isObject))
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

function readResult(folder: string): JudgeResult {
  const read = readJsonArtifact({ path: folder, within: folder }, labArtifactName.judge)
  if (read.failure !== undefined) throw artifactError(read, labArtifactName.judge)
  const stored = read.value as unknown as JudgeResult
  if (Array.isArray(stored.votes)) return stored
  throw zclError('ZCL_E_CONTRACT', `${labArtifactName.judge}: votes is not a list`)
}

/** Asks again; throws if the judge gives no verdict. */
async function askAgain(stored: JudgeResult, host: Host): Promise<JudgeResult> {
  const { provider, model, question, votes } = stored
  const texts: unknown[] = [provider, model, question?.system, question?.user]
  if (votes.length === 0 || texts.some((text) => typeof text !== 'string')) {
    const message = `${labArtifactName.judge} does not hold what the judge was asked`
    throw zclError('ZCL_E_CONTRACT', message)
  }
  const spec = { provider, model, rubric: '', votes: votes.length }
  await requireJudgeKey(spec, host.env)
  const result = await askJudge(
    {
      spec,
      env: host.env,
      baseFolder: host.cwd,
      redactor: redactorFor(host),
      cacheFolder: undefined,
      signal: new AbortController().signal,
    },
    question,
  )
  if (result.ok !== null) return result
  const reason = result.votes.find(({ message }) => message !== undefined)?.message
  const why = reason ?? 'no vote is usable'
  throw zclError('ZCL_E_JUDGE_ERROR', `the judge gave no verdict: ${why}`)
}
