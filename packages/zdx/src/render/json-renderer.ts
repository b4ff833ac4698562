// `--format json`: one compact JSON object per event on stdout. docs/zdx-events.schema.json defines the
// shape, version 1.
import type { AgentEvent } from '@zee/agent'
import { usageFields } from '@zee/agent'
import { rfc3339 } from '@zee/core/clock'
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import { isInterrupt } from '../interrupt/interrupt.ts'
import type { ConversationInfo, Renderer } from './render.ts'
import { updateOutcome, trackOutcome } from './turn-outcome.ts'

export function openJsonRenderer(host: Host, interrupted?: AbortSignal): Renderer {
  const write = terminalSafeWriter(host.stdout, interrupted)
  const writeLine = (line: Readonly<Record<string, unknown>>) => write(`${JSON.stringify(line)}\n`)
  const open = ({ session, provider, model, root }: Partial<ConversationInfo>) =>
    writeLine({
      type: 'meta',
      schema_version: 1,
      ts: rfc3339(host.clock.now(), 0),
      session: session ?? null,
      provider: provider ?? null,
      model: model ?? null,
      root: root ?? null,
    })
  const close: Renderer['close'] = (reason, exitCode) =>
    writeLine({ type: 'end', reason, exit_code: exitCode })
  return {
    open,
    openFailed: async (error) => {
      const exitCode = error instanceof ZeeError ? error.exitCode : 1
      // A usage error goes to stderr only: no run has started.
      if (exitCode === 2) return
      await open({})
      if (isInterrupt(error)) {
        await writeLine({ type: 'interrupted' })
        return close('interrupted', exitCode)
      }
      await writeLine({ type: 'error', kind: 'internal', message: oneLine(error.message) })
      return close('error', exitCode)
    },
    turn: (events, abort) =>
      trackOutcome(host, abort, async (outcome) => {
        for await (const event of events) {
          updateOutcome(outcome, event)
          await writeLine(toJsonLine(event))
        }
      }),
    toolOutput: undefined,
    retry: ({ attempt, attempts, delayMs, error }) =>
      void writeLine({
        type: 'retry',
        attempt,
        attempts,
        delay_ms: delayMs,
        message: error.message,
      }),
    close,
  }
}

function toJsonLine(event: AgentEvent): Readonly<Record<string, unknown>> {
  if (event.type !== 'usage') return event
  const { type, usage, durationMs, costUsd } = event
  return {
    type,
    usage: usageFields(usage),
    duration_ms: durationMs,
    cost_usd: costUsd,
  }
}
