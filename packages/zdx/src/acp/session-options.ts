// The options of a session that an editor can show and change: permission modes and models.
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import type { Host } from '@zee/core/exit'
import { findApiKey } from '@zee/llm'
import { modelNames } from '@zee/llm/facts'
import type { Conversation } from '../conversation/conversation.ts'
import { providerRows } from '../providers/providers.ts'
import type { ZdxConfig } from '../settings/settings.ts'

export type Mode = ZdxConfig['permission']

const modes = [
  { id: 'allow', name: 'Allow', description: 'Runs every tool' },
  { id: 'ask', name: 'Ask', description: 'Asks before a tool that changes something' },
  { id: 'read-only', name: 'Read only', description: 'Refuses tools that change something' },
] as const satisfies readonly { id: Mode; name: string; description: string }[]

/** The mode with this id; undefined if there is none. */
export function modeOf(id: string): Mode | undefined {
  return modes.find((mode) => mode.id === id)?.id
}

/** Id of the configuration option that selects the model. */
export const modelOption = 'model'

export interface SessionOptions {
  modes: SessionModeState
  configOptions: SessionConfigOption[]
  /** For clients that know models as a list of their own. */
  models: { currentModelId: string; availableModels: { modelId: string; name: string }[] }
}

export function sessionOptions(
  { info, settings }: Conversation,
  mode: Mode,
  env: Host['env'],
): SessionOptions {
  const currentModelId = `${info.provider}:${info.model}`
  const names = availableModels(settings.values, info.provider, env)
  const available = [...new Set([currentModelId, ...names])]
  return {
    modes: { currentModeId: mode, availableModes: modes.map((each) => ({ ...each })) },
    configOptions: [
      {
        id: modelOption,
        name: 'Model',
        category: 'model',
        type: 'select',
        currentValue: currentModelId,
        options: available.map((value) => ({ value, name: value })),
      },
    ],
    models: {
      currentModelId,
      availableModels: available.map((modelId) => ({ modelId, name: modelId })),
    },
  }
}

/** The models in the table of the current provider and of those whose key is in the environment. */
function availableModels(values: ZdxConfig, current: string, env: Host['env']): string[] {
  return providerRows(values)
    .filter((row) => row.name === current || findApiKey(row, env, undefined) !== undefined)
    .flatMap(({ name }) => modelNames(name).map((model) => `${name}:${model}`))
}
