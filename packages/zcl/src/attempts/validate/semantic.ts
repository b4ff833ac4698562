// `zcl validate --semantic`: checks the content of results by the rules of the suite or of a file.
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { parseAttemptId } from '@zee/evidence/layout'
import { readRunBackground } from '@zee/evidence/report'
import { checkMeaning, type SemanticRules } from '@zee/evidence/expect'
import { findMission } from '@zee/evidence/suite'
import { recordedNow } from '../../clock/clock.ts'
import { countedLocations, resolveTarget, shownName } from '../attempts.ts'
import type { KnownTarget } from '../attempts.ts'
import { aligned, complain, printJson, printLines } from '../../output/output.ts'
import { readRulesFile } from '../../input/input.ts'

export interface SemanticOptions {
  semanticRules: string | undefined
  json: boolean
}

export async function runValidateSemantic(
  argument: string | undefined,
  options: SemanticOptions,
  host: Host,
): Promise<number> {
  const target = await resolveTarget(argument, host)
  const shown = shownName(argument, host)
  const rulePath = options.semanticRules
  const rules =
    rulePath === undefined ? rulesOfSuite(target) : await readRulesFile(rulePath, host.cwd)
  const computedAt = rfc3339(recordedNow(host))
  const attempts = []
  const failures = []
  for (const location of countedLocations(target)) {
    const missionId = parseAttemptId(location.name)?.missionId ?? ''
    const missionRules = rules(missionId)
    const found =
      missionRules === undefined
        ? []
        : await checkMeaning(location, missionRules, host.env, computedAt)
    const prefix = target.kind === 'run' ? `attempts/${location.name}/` : ''
    const evaluated = missionRules !== undefined
    attempts.push({ attemptId: location.name, missionId, evaluated, ok: found.length === 0 })
    failures.push(...found.map((each) => ({ ...each, path: prefix + each.path })))
  }
  const ok = failures.length === 0
  const evaluated = attempts.some((each) => each.evaluated)
  if (options.json) {
    printJson(host, {
      ok,
      target: target.kind,
      path: shown,
      rulePath,
      evaluated,
      attempts,
      failures,
    })
  } else {
    printLines(host, [
      `${target.kind} ${shown}: ${ok ? 'means something' : 'does not mean enough'}`,
      ...aligned(failures.map((each) => [`  ${each.code}`, each.path, each.message])),
    ])
  }
  const [first] = failures
  if (first !== undefined) complain(host, first.code, `${first.path}: ${first.message}`)
  return ok ? 0 : 2
}

function rulesOfSuite(target: KnownTarget): SemanticRules {
  const runFolder = target.kind === 'run' ? target.folder : target.runFolder
  const { suite } = readRunBackground(runFolder)
  return (missionId) => findMission(suite, missionId)?.expects?.semantic
}
