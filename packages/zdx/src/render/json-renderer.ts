// `--format json`: one compact object a line on stdout, in the order in which things happen. The
// shape is written down in docs/zdx-events.schema.json, version 1.
import type { AgentEvent } from '@zee/agent'
import { usageFields } from '@zee/agent'
import { rfc3339 } from '@zee/core/clock'
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import { isInterrupt } from '../interrupt/interrupt.ts'
import type { Opening, Renderer } from './render.ts'
import { noteOutcome, watchTurn } from './turn-outcome.ts'

export function openJsonRenderer(host: Host): Renderer {
  const write = terminalSafeWriter(host.stdout)
  const put = (line: Readonly<Record<string, unknown>>) => write(`${JSON.stringify(line)}\n`)
  const open = ({ session, provider, model, root }: Partial<Opening>) =>
    put({
      type: 'meta',
      schema_version: 1,
      ts: rfc3339(host.clock.now(), 0),
      session: session ?? null,
      provider: provider ?? null,
      model: model ?? null,
      root: root ?? null,
    })
  const close: Renderer['close'] = (reason, exitCode) =>
    put({ type: 'end', reason, exit_code: exitCode })
  return {
    open,
    failed: async (error) => {
      const exitCode = error instanceof ZeeError ? error.exitCode : 1
      // Wrong options are told on stderr alone: no run has begun.
      if (exitCode === 2) return
      await open({})
      if (isInterrupt(error)) {
        await put({ type: 'interrupted' })
        return close('interrupted', exitCode)
      }
      await put({ type: 'error', kind: 'internal', message: oneLine(error.message) })
      return close('error', exitCode)
    },
    turn: (events, abort) =>
      watchTurn(host, abort, async (outcome) => {
        for await (const event of events) {
          noteOutcome(outcome, event)
          await put(lineOf(event))
        }
      }),
    retry: ({ attempt, attempts, delayMs, error }) =>
      void put({
        type: 'retry',
        attempt,
        attempts,
        delay_ms: delayMs,
        message: error.message,
      }),
    close,
  }
}

function lineOf(event: AgentEvent): Readonly<Record<string, unknown>> {
  if (event.type !== 'usage') return event
  const { type, usage, durationMs, costUsd } = event
  return {
    type,
    usage: usageFields(usage),
    duration_ms: durationMs,
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
  }
}
