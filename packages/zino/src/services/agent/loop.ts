// The agent loop: calls the model, executes the blocks in its answer, appends the answer with the
// results, and repeats until an answer has no blocks or the iteration limit is reached.
import type { Definitions } from '../../definitions/definitions.ts'
import type { Message } from '../../wire/wire.ts'
import { executeInterrupt } from './execute-interrupt.ts'
import type { Backends } from './backends.ts'
import { responseBlock } from './response-block.ts'
import type { Segment } from './stream-parser.ts'
import { StreamParser } from './stream-parser.ts'

export interface Run {
  messages: readonly Message[]
  maxIterations: number
  /** Requests a streamed answer, so that text and results are forwarded as they arrive. */
  stream: boolean
  definitions: Definitions
  backends: Backends
  signal: AbortSignal
  /** Receives the text for the caller: model text and results, never the call blocks. */
  onText(text: string): Promise<void>
}

export interface RunOutcome {
  /** The last answer of the model, with the results of its calls inserted. */
  lastText: string
  iterations: number
}

export async function runLoop(run: Run): Promise<RunOutcome> {
  const messages = [...run.messages]
  let iterations = 0
  let lastText = ''
  while (iterations < run.maxIterations) {
    run.signal.throwIfAborted()
    iterations += 1
    const answer = await runIteration(run, messages)
    lastText = answer.text
    if (answer.interrupts === 0) break
    messages.push({ role: 'assistant', content: answer.text })
  }
  return { lastText, iterations }
}

async function runIteration(
  run: Run,
  messages: readonly Message[],
): Promise<{ text: string; interrupts: number }> {
  const parser = new StreamParser()
  const parts: string[] = []
  let interrupts = 0
  const handle = async (segments: readonly Segment[]) => {
    for (const segment of segments) {
      if (segment.kind === 'text') {
        parts.push(segment.text)
        await run.onText(segment.text)
        continue
      }
      interrupts += 1
      const { tag, content } = segment
      const { definitions, backends, signal } = run
      const result = await executeInterrupt(tag, content, definitions, backends, signal)
      const block = responseBlock(tag, result)
      parts.push(`<${tag}>${content}</${tag}>`, block)
      await run.onText(block)
    }
  }
  // While a tool runs, further model text waits in the connection, in order.
  for await (const piece of run.backends.infer(messages, run.stream)) {
    await handle(parser.push(piece))
  }
  await handle(parser.end())
  return { text: parts.join(''), interrupts }
}
