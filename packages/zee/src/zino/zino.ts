// What zino's own commands tell: the state of its services, memories.
import type { Host } from '@zee/core/exit'
import { parseObject } from '@zee/core/json'
import { runProgram } from '../programs/programs.ts'
import { listIn } from './memories.ts'

export { findMemory, firstText, isMemoryId, listIn, memoryText } from './memories.ts'

export type ZinoState =
  | { state: 'absent' }
  | { state: 'stopped' }
  | { state: 'running'; services: number }

export async function zinoState(host: Pick<Host, 'env' | 'cwd'>): Promise<ZinoState> {
  const { code, stdout, stderr } = await runProgram('zino', ['status', '--json'], host, 10_000)
  if (stderr.includes('no configuration')) return { state: 'absent' }
  if (code !== 0) return { state: 'stopped' }
  // Optional services, such as the one for timers, are not part of the number that zino prints.
  const services = listIn(parseObject(stdout), 'services').filter(
    ({ optional }) => optional !== true,
  )
  return { state: 'running', services: services.length }
}
