// `zino up --detach`: starts the supervisor in a session of its own and returns when all services
// answer, or says why they do not.
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { RunningProcess } from '@zee/core/process'
import { startProcess } from '@zee/core/process'
import { findConfig } from '../../config/config.ts'

export interface DetachCall {
  config: string | undefined
  launcher: readonly string[]
}

const readyWithinMs = 30_000

export async function runDetached(call: DetachCall, host: Host): Promise<number> {
  const { file } = await findConfig({ requested: call.config, env: host.env, cwd: host.cwd })
  const [command = '', ...launcher] = call.launcher
  const { process: child, failure } = await startProcess({
    command,
    args: [...launcher, 'up', '--config', file, '--background'],
    cwd: host.cwd,
    env: { ...host.env },
  })
  if (child === undefined)
    throw new ZeeError('detach', failure.error ?? 'zino could not be started')
  try {
    host.stdout.write(await firstLine(child))
    return 0
  } finally {
    child.release()
    // The child lives on; that it is ours must not keep us.
    setTimeout(() => process.exit(), 20)
  }
}

/** What the supervisor prints when everything is up; its last words when it ends before that. */
function firstLine(child: RunningProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    let complaint = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint += chunk.toString()
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('\n')) finish(() => resolve(said))
    })
    const timer = setTimeout(() => {
      const text = 'not all services answer yet: see zino status and zino logs'
      finish(() => reject(new ZeeError('detach', text)))
    }, readyWithinMs)
    const finish = (act: () => void) => {
      clearTimeout(timer)
      act()
    }
    void child.exited.then(() => {
      const reason = oneLine(complaint).replace(/^zino: /, '') || 'zino ended before it was up'
      finish(() => reject(new ZeeError('detach', reason)))
    })
  })
}
