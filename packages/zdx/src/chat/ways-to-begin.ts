// Says before the first prompt that no model can be used, and how to get one.
import type { Model } from '@zee/llm'

/** Empty if the model can be asked. */
export function waysToBegin(model: Pick<Model, 'check' | 'provider'>): string[] {
  try {
    model.check()
    return []
  } catch {
    const noServer = model.provider === 'anthropic' ? ' and no local server answers' : ''
    return [
      `No model can be used yet: there is no key for ${model.provider}${noServer}. Ways to begin:`,
      '  key           set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or run: zdx auth login',
      '  local server  start Ollama, LM Studio or llama.cpp; zdx finds it by itself',
      '  screenplay    run: zdx --provider script --model FILE (plays a file, needs no model)',
    ]
  }
}
