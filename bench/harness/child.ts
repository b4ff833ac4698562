// Starts a measured command in its own process group. Kills the group on Ctrl+C, at the deadline
// and after the sample.
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

export interface ChildRun {
  code: number | null
  signal: NodeJS.Signals | null
  /** The measurement, read from descriptor 3. */
  report: string
  /**
   * The last bytes of standard error: the shell's own, then the measured command's (descriptor 4).
   */
  complaint: string
}

const deadlineMs = 300_000
const complaintChars = 2000

let running: number | undefined

/** `onStart` receives the process id, which is also the id of the group. */
export function runChild(
  command: readonly string[],
  onStart: (pid: number) => void = () => {},
): Promise<ChildRun> {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    detached: true,
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const { pid } = child
  running = pid
  const deadline = setTimeout(() => stopRunning(), deadlineMs)
  const report = collect(child.stdio[3] as Readable, 1 << 20)
  const complaints = [child.stderr as Readable, child.stdio[4] as Readable].map((stream) =>
    collect(stream, complaintChars),
  )
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    if (pid !== undefined) onStart(pid)
    // Surviving children hold the pipes open, which delays `close`.
    child.once('exit', stopRunning)
    child.once('close', (code, signal) => {
      clearTimeout(deadline)
      running = undefined
      const complaint = complaints.map((text) => text()).join('')
      resolve({ code, signal, report: report(), complaint })
    })
  })
}

/** Kills the running measurement and all its children. */
export function stopRunning(): void {
  if (running === undefined) return
  try {
    process.kill(-running, 'SIGKILL')
  } catch {
    // The group has already exited.
  }
}

export function describeEnd({ code, signal, complaint }: ChildRun): string {
  const end = signal === null ? `exit code ${code}` : `ended by ${signal}`
  const last = complaint.trim().split('\n').at(-1) ?? ''
  return last === '' ? end : `${end}: ${last}`
}

/** NODE_EXTRA_CA_CERTS adds about 40 ms to each start of Node 20, more than most measured times. */
function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  return env
}

function collect(stream: Readable, maxChars: number): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-maxChars)
  })
  return () => text
}
