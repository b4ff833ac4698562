// Refuses a judge that could not grade, before an attempt starts.
import type { JudgeSpec, Suite } from '@zee/evidence/suite'
import { zclError } from '../errors/errors.ts'
import { fileAt } from './file-at.ts'

/** Throws for a provider that zee does not know, and for a file that does not exist. */
export async function requireUsableJudges(
  suite: Suite,
  baseFolder: string,
  file: string,
): Promise<void> {
  const checked = new Set<string>()
  for (const { missionId, judge = suite.judge ?? suite.defaults?.judge } of suite.missions) {
    const key = JSON.stringify(judge)
    if (judge === undefined || checked.has(key)) continue
    checked.add(key)
    const problem = await problemOf(judge, baseFolder)
    if (problem !== undefined) {
      throw zclError('ZCL_E_CONTRACT', `${file}: ${missionId}: ${problem}`)
    }
  }
}

async function problemOf(judge: JudgeSpec, baseFolder: string): Promise<string | undefined> {
  const { findProvider, providers } = await import('@zee/llm')
  const { provider, model, rubric } = judge
  if (findProvider(provider) === undefined) {
    const known = providers.map(({ name }) => name).join(', ')
    return `judge.provider '${provider}' is unknown (known: ${known})`
  }
  if (provider === 'script' && fileAt(model, baseFolder) === undefined) {
    return `judge.model names the screenplay ${model}, which is not a file`
  }
  if (isFileName(rubric) && fileAt(rubric, baseFolder) === undefined) {
    return `judge.rubric names the file ${rubric}, which does not exist`
  }
  return undefined
}

/** A path to a text file, as opposed to the text of a rubric. */
function isFileName(rubric: string): boolean {
  return /^[^\s]+\.(?:md|markdown|txt|rst|ya?ml|json)$/i.test(rubric.trim())
}
