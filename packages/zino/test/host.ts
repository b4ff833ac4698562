// Hosts a service, real or fake, for one test.
import { onTestFinished } from 'vitest'
import type { RunningService } from '../src/service/serve.ts'
import { serve } from '../src/service/serve.ts'
import type { Handler, Service } from '../src/service/service.ts'
import { handlersOf } from '../src/service/service.ts'
import { recordingLog } from './log.ts'

export async function serveHere(service: Service, path: string): Promise<RunningService> {
  const running = await serve(service, { path, log: recordingLog(), drainMs: 100 })
  onTestFinished(() => running.stop())
  return running
}

/** Serves a fake service made of these handlers. */
export function standIn(table: Record<string, Handler>, path: string): Promise<RunningService> {
  return serveHere({ handlers: handlersOf(table) }, path)
}
