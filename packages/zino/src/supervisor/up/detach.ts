// `zino up --detach`: starts the supervisor in its own session and returns when all services answer,
// or fails with the reason.
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { RunningProcess } from '@zee/core/process'
import { startProcess } from '@zee/core/process'
import { configWarnings, findConfig } from '../../config/config.ts'

export interface DetachCall {
  config: string | undefined
  launcher: readonly string[]
}

const readyDeadlineMs = 30_000

export async function runDetached(call: DetachCall, host: Host): Promise<number> {
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd, use: 'execution' } as const
  const found = await findConfig(lookup)
  const { file } = found
  // The supervisor writes them to its log file only.
  for (const warning of configWarnings(found)) host.stderr.write(`zino: warning: ${warning}\n`)
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
    // The child keeps running; its handles must not keep this process alive.
    setTimeout(() => process.exit(), 20)
  }
}

/** Resolves to the supervisor's "zino is up" line; rejects with its error output when it exits. */
function firstLine(child: RunningProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    let errors = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString()
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('\n')) finish(() => resolve(output))
    })
    const timer = setTimeout(() => {
      const text = "not all services answer yet: see 'zino status' and 'zino logs'"
      finish(() => reject(new ZeeError('detach', text)))
    }, readyDeadlineMs)
    const finish = (act: () => void) => {
      clearTimeout(timer)
      act()
    }
    void child.exited.then(() => {
      const reason = oneLine(errors).replace(/^zino: /, '') || 'zino exited during startup'
      finish(() => reject(new ZeeError('detach', reason)))
    })
  })
}
