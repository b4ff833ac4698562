// The attempt that the environment names. Every writer of evidence starts here: the five variables
// and attempt.json must agree. Loads Node built-ins only.
import path from 'node:path'
import { evidenceError } from '../errors/errors.ts'
import { artifactName } from '../layout/layout.ts'
import { identityOf, readAttemptFile, type AttemptIdentity } from './file.ts'

export { defaultTimeoutStart, timeLeft } from './deadline.ts'
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

/** The attempt of this environment; throws a typed error if a variable or attempt.json is wrong. */
export function attemptFromEnvironment(env: Environment, cwd: string): AttemptContext {
  const required = [...Object.values(idVariables), 'ZCL_OUT_DIR']
  const missing = required.filter((name) => (env[name] ?? '') === '')
  if (missing.length > 0) {
    const what = `not set: ${missing.join(', ')}`
    throw evidenceError(
      'ZCL_E_USAGE',
      `no attempt in the environment (${what}); see zcl attempt start`,
    )
  }
  const folder = path.resolve(cwd, env.ZCL_OUT_DIR ?? '')
  const file = readAttemptFile(folder)
  for (const [key, variable] of Object.entries(idVariables)) {
    if (file[key] === env[variable]) continue
    const message = `${variable} is not the ${key} of ${path.join(folder, artifactName.attempt)}`
    throw evidenceError('ZCL_E_ID_MISMATCH', message)
  }
  return { identity: identityOf(file), folder, mode: file.mode === 'ci' ? 'ci' : 'discovery', file }
}
