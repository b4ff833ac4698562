// `zino up`: runs the supervisor in the foreground or starts it in the background.
import type { Host } from '@zee/core/exit'
import type { DetachCall } from './detach.ts'
import type { ForegroundCall } from './foreground.ts'

export interface UpCall extends DetachCall, ForegroundCall {
  detach: boolean
}

export async function runUp(call: UpCall, host: Host): Promise<number> {
  if (call.detach) return (await import('./detach.ts')).runDetached(call, host)
  return (await import('./foreground.ts')).runForeground(call, host)
}
