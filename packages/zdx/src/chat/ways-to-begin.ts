// Says before the first prompt that no model can be used, and how to get one.
import type { Model } from '@zee/llm'

/** Empty if the model can be asked. */
export function waysToBegin(model: Pick<Model, 'check' | 'provider'>): string[] {
  try {
    model.check()
    return []
  } catch {
    const noServer = model.provider === 'anthropic' ? ', no local server' : ''
    return [
      `No model can be used yet: no key for ${model.provider}${noServer}. Ways to begin:`,
      '  key           run: zdx auth login, or set ANTHROPIC_API_KEY or another one',
      '  local server  start Ollama, LM Studio or llama.cpp; zdx finds it by itself',
      '  screenplay    run: zdx --provider script --model FILE (plays a file)',
    ]
  }
}
