// The attempt that a flag or the environment names. Every writer of evidence starts here. Loads Node
// built-ins only.
import path from 'node:path'
import { evidenceError } from '../errors/errors.ts'
import { artifactName } from '../layout/layout.ts'
import { identityOf, readAttemptFile, type AttemptIdentity } from './file.ts'

export { anchorName, deadlineAnchor } from './deadline-anchor.ts'
export { defaultTimeoutStart, timeLeft, timeSince } from './deadline.ts'
export { attemptEnvironment, environmentText, envFormats, shellQuoted } from './environment.ts'
export type { EnvFormat } from './environment.ts'
export { identityOf, readAttemptFile, type AttemptIdentity } from './file.ts'
export { failingStreak } from './repeat-guard.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface AttemptContext {
  identity: AttemptIdentity
  /** Absolute. */
  folder: string
  mode: 'discovery' | 'ci'
  /** The parsed attempt.json; only the ids, the mode and the deadline are checked. */
  file: Readonly<Record<string, unknown>>
}

const idVariables = {
  runId: 'ZCL_RUN_ID',
  suiteId: 'ZCL_SUITE_ID',
  missionId: 'ZCL_MISSION_ID',
  attemptId: 'ZCL_ATTEMPT_ID',
} as const

/** Whether the environment names an attempt, valid or not. */
export function namesAttempt(env: Environment): boolean {
  return (env.ZCL_OUT_DIR ?? '') !== ''
}

/**
 * The attempt in `folder`, or else the one that the environment names: `ZCL_OUT_DIR` alone is enough,
 * and ids that are set must agree with attempt.json. Throws a typed error if one does not.
 */
export function attemptFromEnvironment(
  env: Environment,
  cwd: string,
  named?: string,
): AttemptContext {
  if (named === undefined && !namesAttempt(env)) {
    throw evidenceError(
      'ZCL_E_USAGE',
      'no attempt in the environment (not set: ZCL_OUT_DIR); see zcl attempt start',
    )
  }
  const folder = path.resolve(cwd, named ?? env.ZCL_OUT_DIR ?? '')
  const file = readAttemptFile(folder)
  for (const [key, variable] of Object.entries(idVariables)) {
    const set = env[variable] ?? ''
    if (named !== undefined || set === '' || file[key] === set) continue
    const message = `${variable} is not the ${key} of ${path.join(folder, artifactName.attempt)}`
    throw evidenceError('ZCL_E_ID_MISMATCH', message)
  }
  requireIds(file, folder)
  return { identity: identityOf(file), folder, mode: file.mode === 'ci' ? 'ci' : 'discovery', file }
}

/** Every event carries these ids, so attempt.json must have them. */
function requireIds(file: Readonly<Record<string, unknown>>, folder: string): void {
  for (const key of Object.keys(idVariables)) {
    if (typeof file[key] === 'string' && file[key] !== '') continue
    const where = path.join(folder, artifactName.attempt)
    throw evidenceError('ZCL_E_CONTRACT', `${where}: ${key} is missing`)
  }
}
