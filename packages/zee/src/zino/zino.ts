// What zino's own commands tell: the state of its services, memories.
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { parseObject } from '@zee/core/json'
import { isInstalled, runProgram } from '../programs/programs.ts'
import { listIn } from './memories.ts'

export { findMemory, firstText, isMemoryId, listIn, memoryText } from './memories.ts'

export type ZinoState =
  | { state: 'absent' }
  | { state: 'stopped' }
  /** The configuration cannot be used. */
  | { state: 'broken'; reason: string }
  | { state: 'running'; services: number }

export async function zinoState(host: Pick<Host, 'env' | 'cwd'>): Promise<ZinoState> {
  if (!isInstalled('zino')) return { state: 'absent' }
  const { code, stdout, stderr } = await runProgram('zino', ['status', '--json'], host, 10_000)
  if (stderr.includes('no configuration')) return { state: 'absent' }
  const answer = parseObject(stdout)
  if (code !== 0 && answer === undefined && stderr.trim() !== '') {
    return { state: 'broken', reason: oneLine(stderr.trim()).replace(/^zino: /, '') }
  }
  if (code !== 0) return { state: 'stopped' }
  // Optional services, such as the one for timers, are not part of the number that zino prints.
  const services = listIn(answer, 'services').filter(({ optional }) => optional !== true)
  return { state: 'running', services: services.length }
}
