// The paths and the model that `zino init` writes into ZINO.toml.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import type { ConfigDefaults } from '../config/config.ts'

export interface InitCall {
  folder: string | undefined
  force: boolean
  sockets: string | undefined
  provider: string | undefined
  baseUrl: string | undefined
  model: string | undefined
  script: string | undefined
}

export function configDefaults(folder: string, call: InitCall, host: Host): ConfigDefaults {
  const runtime = host.env.XDG_RUNTIME_DIR
  const sockets = runtime ? path.join(runtime, 'zino') : path.join(folder, 'run')
  return {
    sockets: call.sockets === undefined ? sockets : path.resolve(host.cwd, call.sockets),
    template: path.join(folder, 'SYSTEM.md'),
    tools: path.join(folder, 'tools'),
    skills: path.join(folder, 'skills'),
    dataDir: path.join(folder, 'data/mem'),
    usageFile: path.join(folder, 'data/tokens.json'),
    logs: path.join(folder, 'logs'),
    tokenFile: path.join(folder, 'data/http-token'),
    ...modelDefaults(call, host),
  }
}

type ModelDefaults = Pick<ConfigDefaults, 'provider' | 'baseUrl' | 'model' | 'script'>

/** The requested model, else OpenRouter when LLM_API_KEY is set, else a local Ollama server. */
function modelDefaults(call: InitCall, host: Host): ModelDefaults {
  const { provider = '', baseUrl = '', model = '' } = call
  if (call.script !== undefined) {
    const script = path.resolve(host.cwd, call.script)
    return { provider: 'script', baseUrl, model: model || 'script', script }
  }
  if (provider !== '' || baseUrl !== '') return { provider, baseUrl, model, script: '' }
  if (host.env.LLM_API_KEY) {
    const openRouter = 'https://openrouter.ai/api/v1'
    return { provider: '', baseUrl: openRouter, model: model || 'openrouter/auto', script: '' }
  }
  const local = 'http://127.0.0.1:11434/v1'
  return { provider: '', baseUrl: local, model: model || 'llama3.2', script: '' }
}
