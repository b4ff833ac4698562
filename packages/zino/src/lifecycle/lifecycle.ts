// Start and stop of a zino process, be it a service or the supervisor: handover, log, signals.
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'

export type { Handover } from './handover.ts'
export { handoverLine, readyLine, readHandover } from './handover.ts'
export { configSecrets, serviceLogger, stderrWriter } from './log.ts'

/** The environment without keys: an untrusted file chooses the address that they would go to. */
export function withoutKeys(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/_KEY$|_TOKEN$/.test(name)))
}

/** Stops a service that is started again at once: its scripts and turns continue. */
export const restartSignal = 'SIGUSR2'

/**
 * Resolves to the name of the first SIGTERM, SIGINT or restart signal. Called first in a process, so that a signal
 * during startup stops it cleanly too.
 */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve('SIGTERM'))
    process.on('SIGINT', () => resolve('SIGINT'))
    process.on(restartSignal, () => resolve(restartSignal))
  })
}

/**
 * Trades speed for memory in a process that is idle nearly always. Loading 10,000 timers otherwise grows the
 * young generation by 6 MiB, which an idle process never gives back, and maps 5 MiB of the optimizing compiler.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--no-opt')
  setFlagsFromString('--optimize-for-size')
  setFlagsFromString('--semi-space-growth-factor=1')
}

/**
 * Keeps a peer that floods from growing the process. V8 of Node 24 grows the young generation so far that
 * short-lived objects take 100 MiB more than on Node 20 and 22.
 */
export function boundYoungGeneration(): void {
  const [major] = process.versions.node.split('.')
  if (Number(major) >= 24) setFlagsFromString('--semi-space-growth-factor=1')
}

/** Resolves when `work` does, or after `ms`. */
export async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController()
  const limit = pause(ms, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([work, limit])
  over.abort()
}
