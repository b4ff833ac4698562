// One funnel of an attempt as a process of the harness: `zcl http proxy` or `zcl mcp proxy`.
import type { Exam } from '@zee/evidence/suite'
import { oneLine } from '@zee/core/errors'
import { parseObject } from '@zee/core/json'
import { startProcess, type RunningProcess } from '@zee/core/process'
import { zclError } from '../../errors/errors.ts'
import type { Launcher } from '../../programs/programs.ts'
import { withoutCredentials } from '../../url/url.ts'

type FunnelSpec = NonNullable<Exam['funnels']>[number]

export interface RunningFunnel {
  /** The variable of the runner that gets the address. */
  variable: string
  url: string
  port: number
  close(): Promise<void>
}

export interface FunnelContext {
  attemptFolder: string
  launcher: Launcher
  env: Readonly<Record<string, string | undefined>>
}

const startMs = 30_000
/** Time for open exchanges and for the trace to be written. */
const endMs = 5000

export async function startFunnel(
  spec: FunnelSpec,
  context: FunnelContext,
): Promise<RunningFunnel> {
  const { attemptFolder, launcher, env } = context
  const { upstream, env: variable, protocol = 'http' } = spec
  const started = await startProcess({
    command: launcher.node,
    args: [
      ...[launcher.script, protocol, 'proxy', '--upstream', upstream],
      ...['--attempt', attemptFolder],
    ],
    env: { ...env },
    killGraceMs: endMs,
  })
  const shown = withoutCredentials(upstream)
  if (started.process === undefined) {
    throw notStarted(shown, started.failure.error ?? 'it cannot be started')
  }
  const { process: child } = started
  const answer = await firstAnswer(child)
  if (typeof answer === 'string') {
    await child.stop()
    child.release()
    throw notStarted(shown, answer)
  }
  return { variable, ...answer, close: () => endFunnel(child) }
}

/** The address that the proxy prints, or why there is none. */
async function firstAnswer(child: RunningProcess): Promise<{ url: string; port: number } | string> {
  let text = ''
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + String(chunk)).slice(-1000)))
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('it did not print its address'), startMs)
    const end = (answer: { url: string; port: number } | string): void => {
      clearTimeout(timer)
      resolve(answer)
    }
    child.stdout?.on('data', (chunk: Buffer) => {
      text = (text + String(chunk)).slice(0, 16_384)
      const printed = parseObject(text)
      const { proxyUrl, listenAddr } = printed ?? {}
      if (typeof proxyUrl !== 'string' || typeof listenAddr !== 'string') return
      end({ url: proxyUrl, port: Number(listenAddr.split(':').at(-1)) })
    })
    void child.exited.then(() => end(oneLine(errors.trim()) || 'it ended at once'))
  })
}

async function endFunnel(child: RunningProcess): Promise<void> {
  await child.stop()
  child.release()
}

function notStarted(upstream: string, reason: string): Error {
  return zclError('ZCL_E_SPAWN', `the funnel for ${upstream} did not start: ${reason}`)
}
