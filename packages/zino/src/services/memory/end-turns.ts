// Turns of forgotten messages: daemon ends them first, so that no service writes their texts again.
import { ZeeError } from '@zee/core/errors'
import { askService, restartWaitMs, unreachableCode } from '../../client/client.ts'
import type { ZinoConfig } from '../../config/config.ts'
import { recordedTurns, turnsFolder } from '../../turns/turns.ts'

/** daemon stops the scripts of a turn and stores an answer within this time. */
const deadlineMs = 15_000

export async function endTurns(config: ZinoConfig, turns: ReadonlySet<string>): Promise<void> {
  const kept = recordedTurns(turnsFolder(config)).filter((turn) => turns.has(turn))
  for (const turn of kept) {
    const request = { type: 'forget_turn', turn }
    try {
      const reply = await askService(config.daemon.socket, request, {
        deadlineMs,
        waitMs: restartWaitMs,
      })
      if (reply.type === 'error') throw new ZeeError('turn_not_ended', String(reply.message))
    } catch (error) {
      // Without daemon no turn is running.
      if (error instanceof ZeeError && error.code === unreachableCode) return
      throw error
    }
  }
}
