// Starts what is measured in a process group of its own and ends that group on Ctrl+C, on a deadline
// and when the sample is over.
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

export interface ChildRun {
  code: number | null
  signal: NodeJS.Signals | null
  /** What came out of descriptor 3, where a measurement is reported. */
  report: string
  /** The end of what the measured program wrote to its standard error, descriptor 4. */
  complaint: string
}

const deadlineMs = 300_000
const complaintBytes = 2000

let running: number | undefined

/** `onStart` gets the process id, which is also the id of the group. */
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
    collect(stream, complaintBytes),
  )
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    if (pid !== undefined) onStart(pid)
    // What it left behind would hold the pipes, and with them `close`.
    child.once('exit', stopRunning)
    child.once('close', (code, signal) => {
      clearTimeout(deadline)
      running = undefined
      const complaint = complaints.map((text) => text()).join('')
      resolve({ code, signal, report: report(), complaint })
    })
  })
}

/** Ends whatever is being measured, with everything it started. */
export function stopRunning(): void {
  if (running === undefined) return
  try {
    process.kill(-running, 'SIGKILL')
  } catch {
    // The group is gone already.
  }
}

export function describeEnd({ code, signal, complaint }: ChildRun): string {
  const end = signal === null ? `exit code ${code}` : `ended by ${signal}`
  const last = complaint.trim().split('\n').at(-1) ?? ''
  return last === '' ? end : `${end}: ${last}`
}

/** NODE_EXTRA_CA_CERTS costs Node 20 some 40 ms a start and would drown what is measured. */
function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  return env
}

function collect(stream: Readable, keepBytes: number): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-keepBytes)
  })
  return () => text
}
