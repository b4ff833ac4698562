// `zino reload`: makes the supervisor read the configuration again. Services whose settings changed are
// restarted; the others read their tools and skills again.
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { describeReload } from './reload.ts'
import { askSupervisor } from '../ask-supervisor.ts'

export async function runReload(call: { config: string | undefined }, host: Host): Promise<number> {
  const answer = await askSupervisor(call.config, { type: 'reload' }, host)
  if (answer.type !== 'ok') throw new ZeeError('reload', String(answer.message))
  host.stdout.write(`${describeReload(answer)}\n`)
  return 0
}
