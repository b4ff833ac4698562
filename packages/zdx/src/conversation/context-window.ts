// The context window of a conversation: its size, and where results that are elided from requests are found.
import type { ContextBudget, LoadedHistory, SessionWriter } from '@zee/agent'
import { createContextMeter, openResultStore } from '@zee/agent'
import { modelFacts } from '@zee/llm/facts'
import { sessionsFolder } from '../settings/settings.ts'

/** In tokens, for models that the table lacks. */
const unknownWindow = 100_000

export function openContextWindow(
  provider: string,
  model: string,
  base: string,
  history: LoadedHistory & { session: SessionWriter | undefined; id: string | undefined },
): ContextBudget {
  const { session, id, usage } = history
  return {
    window: modelFacts(provider, model)?.contextWindow ?? unknownWindow,
    meter: createContextMeter(usage),
    results: openResultStore({
      folder: sessionsFolder(base),
      id,
      isSaved: session !== undefined,
    }),
  }
}
