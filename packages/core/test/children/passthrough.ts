// Runs a command with passthrough, as `zcl run` does, and writes the result to a report file:
//   node passthrough.cjs <report> <options as JSON> <command> [args...]
import { readFileSync, writeFileSync } from 'node:fs'
import { forwardSignals, type ProcessSpec, runProcess, shellExitCode } from '@zee/core/process'

export interface PassthroughReport {
  outcome: string
  exitCode: number | undefined
  signal: string | undefined
  timedOut: boolean
  readerGone: boolean
  writeError: string | undefined
  stdoutBytes: number
  stderrBytes: number
  captureBytes: number
  forwarded: readonly string[]
  maxRssMiB: number
}

async function main(): Promise<number> {
  const [report = '', options = '{}', command = '', ...args] = process.argv.slice(2)
  const forwarder = forwardSignals()
  const spec: ProcessSpec = {
    command,
    args,
    env: process.env,
    stdin: 'inherit',
    passthrough: true,
    captureBytes: 4096,
    onStart: (child) => {
      writeFileSync(`${report}.pid`, String(child.pid))
      forwarder.attach(child)
    },
    ...(JSON.parse(options) as Partial<ProcessSpec>),
  }
  const result = await runProcess(spec)
  forwarder.detach()
  const written: PassthroughReport = {
    outcome: result.outcome,
    exitCode: result.exitCode,
    signal: result.signal,
    timedOut: result.timedOut,
    readerGone: result.readerGone,
    writeError: result.stdout.writeError,
    stdoutBytes: result.stdout.bytes,
    stderrBytes: result.stderr.bytes,
    captureBytes: result.stdout.capture.length,
    forwarded: forwarder.received,
    maxRssMiB: maxRssMiB(),
  }
  writeFileSync(report, JSON.stringify(written))
  return shellExitCode(result)
}

/** `resourceUsage` includes the memory of the process that started this one. */
function maxRssMiB(): number {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    process.exit(99)
  },
)
