// What zino's own commands tell: the state of its services, memories.
import type { Host } from '@zee/core/exit'
import { parseObject } from '@zee/core/json'
import { runProgram } from '../programs/programs.ts'

export { findMemory, firstText, isMemoryId, listIn, memoryText } from './memories.ts'

export type ZinoState =
  | { state: 'absent' }
  | { state: 'stopped' }
  | { state: 'running'; services: number }

export async function zinoState(host: Pick<Host, 'env' | 'cwd'>): Promise<ZinoState> {
  const { code, stdout, stderr } = await runProgram('zino', ['status', '--json'], host, 10_000)
  if (stderr.includes('no configuration')) return { state: 'absent' }
  if (code !== 0) return { state: 'stopped' }
  const services = parseObject(stdout)?.services
  return { state: 'running', services: Array.isArray(services) ? services.length : 0 }
}
