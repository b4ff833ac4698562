// `zino restart SERVICE`: makes the supervisor restart one service and waits until it answers.
import { usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { allServiceNames } from '../../services/services.ts'
import { askSupervisor } from '../ask-supervisor.ts'

export interface RestartCall {
  config: string | undefined
  service: string
}

export async function runRestart(call: RestartCall, host: Host): Promise<number> {
  const { service } = call
  if (!(allServiceNames as readonly string[]).includes(service)) {
    throw usageError(`unknown service '${service}' (${allServiceNames.join(', ')})`)
  }
  const answer = await askSupervisor(call.config, { type: 'restart', service }, host)
  if (answer.type !== 'ok') throw new ZeeError('restart', String(answer.message))
  host.stdout.write(`${service} was restarted (pid ${String(answer.pid)})\n`)
  return 0
}
