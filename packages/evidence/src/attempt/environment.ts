// The environment of an agent inside an attempt, and its text as shell exports or dotenv lines.
import type { AttemptIdentity } from './file.ts'

export type EnvFormat = 'sh' | 'dotenv'

export const envFormats: readonly EnvFormat[] = ['sh', 'dotenv']

/** The variables that name the attempt, sorted; without `ZCL_AGENT_ID` if there is no agent id. */
export function attemptEnvironment(
  identity: AttemptIdentity,
  folder: string,
): Record<string, string> {
  return {
    ...(identity.agentId === undefined ? {} : { ZCL_AGENT_ID: identity.agentId }),
    ZCL_ATTEMPT_ID: identity.attemptId,
    ZCL_MISSION_ID: identity.missionId,
    ZCL_OUT_DIR: folder,
    ZCL_RUN_ID: identity.runId,
    ZCL_SUITE_ID: identity.suiteId,
  }
}

export function environmentText(env: Readonly<Record<string, string>>, format: EnvFormat): string {
  const line = format === 'sh' ? shellLine : dotenvLine
  return Object.entries(env).map(line).join('')
}

/** The text in single quotes, which POSIX shells take literally. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function shellLine([key, value]: [string, string]): string {
  return `export ${key}=${shellQuoted(value)}\n`
}

function dotenvLine([key, value]: [string, string]): string {
  if (/^[\w./:@-]*$/.test(value)) return `${key}=${value}\n`
  const escaped = value.replace(/[\\"$]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)
  return `${key}="${escaped}"\n`
}
