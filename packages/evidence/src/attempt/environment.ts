// The environment that an agent is started with, and the two ways to write it down.
import type { AttemptIdentity } from './file.ts'

export type EnvFormat = 'sh' | 'dotenv'

export const envFormats: readonly EnvFormat[] = ['sh', 'dotenv']

/** Keys sorted; the agent's id only when it has one. */
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

/** Between single quotes a shell takes everything but the quote itself as it stands. */
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
