// Sends a request to the supervisor of a configuration.
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { askService, unreachableCode } from '../client/client.ts'
import { findConfig } from '../config/config.ts'
import type { Message } from '../wire/wire.ts'
import { controlSocket } from './control-socket.ts'

const deadlineMs = 30_000

export async function askSupervisor(
  requested: string | undefined,
  request: object,
  host: Host,
): Promise<Message> {
  const { config } = await findConfig({ requested, env: host.env, cwd: host.cwd })
  try {
    return await askService(controlSocket(config), request, { deadlineMs })
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code !== unreachableCode) throw error
    throw new ZeeError('not_up', "zino is not up: start it with 'zino up'")
  }
}
