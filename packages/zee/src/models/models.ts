// The models that can be asked now: providers with a key, and local servers that answer.
import type { Host } from '@zee/core/exit'
import { findApiKey, listModels, providers, type ProviderRow } from '@zee/llm'
import { runProgram } from '../programs/programs.ts'

export interface AvailableModels {
  /** Names of providers with a key in the environment or stored by zdx. */
  keys: string[]
  /** Local servers that answer: `ollama (3 models)`. */
  servers: string[]
}

const localTimeoutMs = 500

export async function modelsAvailable(host: Host): Promise<AvailableModels> {
  const local = providers.filter((row) => row.local === true && row.wire !== 'script')
  const [stored, ...servers] = await Promise.all([
    storedKeys(host),
    ...local.map((row) => localServer(row, host)),
  ])
  const keys = providers
    .filter((row) => row.keyVariable !== undefined && row.keyOptional !== true)
    .filter((row) => findApiKey(row, host.env, undefined) !== undefined || stored.has(row.name))
  return {
    keys: keys.map(({ name }) => name),
    servers: servers.filter((server) => server !== undefined),
  }
}

/** The providers whose key zdx has stored. The command prints where a key is, never the key. */
async function storedKeys(host: Host): Promise<ReadonlySet<string>> {
  try {
    const { stdout } = await runProgram('zdx', ['auth', 'status'], host, 10_000)
    const names = stdout.split('\n').map((line) => /^([\w-]+): (?!none)/.exec(line)?.[1])
    return new Set(names.filter((name) => name !== undefined))
  } catch {
    return new Set()
  }
}

async function localServer(row: ProviderRow, host: Host): Promise<string | undefined> {
  try {
    const models = await listModels({
      row,
      environment: host.env,
      signal: AbortSignal.timeout(localTimeoutMs),
      userAgent: 'zee',
    })
    return `${row.name} (${models.length} ${models.length === 1 ? 'model' : 'models'})`
  } catch {
    return undefined
  }
}
