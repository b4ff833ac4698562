// Sends one question to the configured model, without tools, session or rendering.
import type { Host } from '@zee/core/exit'
import type { Globals } from '../cli/cli.ts'
import { interruptible, listenForInterrupts } from '../interrupt/interrupt.ts'
import { createSpinner } from '../render/render.ts'
import { loadSettings } from '../settings/settings.ts'
import { chooseModel, openModel } from '../models/models.ts'

export async function askOnce(host: Host, globals: Globals, question: string): Promise<string> {
  const interrupts = listenForInterrupts()
  try {
    return await interruptible(interrupts, () => ask(host, globals, question, interrupts.signal))
  } finally {
    interrupts.stop()
  }
}

async function ask(
  host: Host,
  globals: Globals,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  const settings = await loadSettings(host, globals)
  const chosen = await chooseModel(settings, host, globals, signal)
  const model = openModel(chosen, host)
  const spinner = createSpinner(host)
  let text = ''
  spinner.start()
  try {
    const request = {
      model: chosen.model,
      maxTokens: settings.values.max_tokens,
      stream: settings.values.stream,
      messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: question }] }],
    }
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'text') text += event.text
    }
    return text
  } finally {
    spinner.stop()
    model.close()
  }
}
