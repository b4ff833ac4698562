// The secrets of a conversation: its own keys leave the process's environment, and values in results
// become placeholders unless the configuration keeps them.
import type { Secrets } from '@zee/agent'
import { openSecrets } from '@zee/agent'
import type { Host } from '@zee/core/exit'
import type { Message } from '@zee/llm'
import { keyVariables } from '../providers/providers.ts'
import type { Settings } from '../settings/settings.ts'

/** Shorter values occur too often by chance. */
const minKeyLength = 8

/**
 * Erases provider keys from the environment that other processes of the user can read in
 * /proc/<pid>/environ; `host.env` is a copy and keeps them.
 */
export async function eraseOwnKeys({ env }: Host, { values }: Settings): Promise<void> {
  const names = ownVariables(env, values)
  if (names.size === 0) return
  const { eraseVariables } = await import('@zee/core/erase-variables')
  eraseVariables(names)
}

/** Undefined if the configuration says `secrets = "keep"`. */
export function conversationSecrets(
  { env }: Host,
  { values }: Settings,
  history: readonly Message[],
): Secrets | undefined {
  if (values.secrets === 'keep') return undefined
  const ownKeys = [...ownVariables(env, values)]
    .map((name) => env[name] ?? '')
    .filter((value) => value.length >= minKeyLength)
  return openSecrets({ env, ownKeys, history })
}

/** The text with placeholders, unless the configuration keeps secrets. */
export async function hideText(secrets: Secrets | undefined, text: string): Promise<string> {
  return secrets === undefined ? text : secrets.hide(text)
}

function ownVariables(env: Host['env'], values: Settings['values']): Set<string> {
  const names = new Set<string>()
  for (const name of keyVariables(values)) if (name !== undefined && env[name]) names.add(name)
  return names
}
