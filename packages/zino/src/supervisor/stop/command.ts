// `zino stop`: makes the supervisor stop all services and waits until it has.
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { askService, unreachableCode } from '../../client/client.ts'
import { findConfig } from '../../config/config.ts'
import { controlSocket } from '../control-socket.ts'

const deadlineMs = 10_000

export async function runStop(call: { config: string | undefined }, host: Host): Promise<number> {
  const { config } = await findConfig({ requested: call.config, env: host.env, cwd: host.cwd })
  try {
    await askService(controlSocket(config), { type: 'stop' }, { deadlineMs })
    host.stdout.write('zino has stopped\n')
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code !== unreachableCode) throw error
    host.stdout.write('zino is not up\n')
  }
  return 0
}
