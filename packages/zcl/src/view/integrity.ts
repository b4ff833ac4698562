// Adds validation findings to the attempts of a page.
import { artifactName, attemptsFolderName } from '@zee/evidence/layout'
import type { Validation } from '@zee/evidence/validate'
import type { AttemptFacts, IntegrityFacts, RunPage } from '@zee/web/data'

export type Findings = Pick<Validation, 'errors' | 'warnings'>

type Finding = Findings['errors'][number]

/** `isUnsafe` is true when validation found a possible secret in the evidence. */
export function addIntegrity(page: RunPage, findings: Findings): { isUnsafe: boolean } {
  const byId = new Map(page.attempts.map((attempt) => [attempt.attemptId, attempt]))
  const levels = [
    ['error', findings.errors],
    ['warning', findings.warnings],
  ] as const
  for (const [level, found] of levels) {
    for (const finding of found) {
      const { attempt, path } = locateFinding(finding, page, byId)
      const fact = { level, ...describeFinding(finding, path) }
      if (attempt === undefined) page.integrity.push(fact)
      else attempt.integrity.push(fact)
      if (level === 'error' && attempt !== undefined) attempt.isValid = false
    }
  }
  const codes = [...findings.errors, ...findings.warnings].map(({ code }) => code)
  return { isUnsafe: codes.some((code) => code.endsWith('_UNSAFE_EVIDENCE')) }
}

function locateFinding(finding: Finding, page: RunPage, byId: ReadonlyMap<string, AttemptFacts>) {
  if (page.kind === 'attempt') return { attempt: page.attempts[0], path: finding.path }
  const [folder, name = '', ...rest] = finding.path.split('/')
  const attempt = folder === attemptsFolderName ? byId.get(name) : undefined
  return { attempt, path: attempt === undefined ? finding.path : rest.join('/') || '.' }
}

function describeFinding({ code, message }: Finding, path: string): Omit<IntegrityFacts, 'level'> {
  const line = path === artifactName.trace ? /^line (\d+)\b/.exec(message)?.[1] : undefined
  return { code, message, path, ...(line === undefined ? {} : { line: Number(line) }) }
}
