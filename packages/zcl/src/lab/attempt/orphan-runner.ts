// Ends what is left of a runner: daemons that it started, or all of it after its worker was killed. They
// have their own sessions and would act in parallel with the next try. Their environment tells them.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import os from 'node:os'

const defaultGraceMs = 2000
const pollMs = 20
const execPollMs = 5
const execWaitMs = 1000
/** Processes in execve(2) for longer than this are not expected. */
const newSeconds = 10
/** Of /proc/<pid>/stat, counted after the name of the program. */
const startTimeField = 19
const ticksPerSecond = 100

/** Ends the processes of a try on this machine; does nothing on systems without /proc. */
export async function endOrphans(
  runId: string,
  attemptId: string,
  graceMs: number = defaultGraceMs,
): Promise<void> {
  const left = await processesOf(runId, attemptId)
  if (left.length === 0) return
  signalAll(left, 'SIGTERM')
  for (let waited = 0; waited < graceMs; waited += pollMs) {
    if ((await processesOf(runId, attemptId)).length === 0) return
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  signalAll(await processesOf(runId, attemptId), 'SIGKILL')
}

/** The processes of a try. A process that is in execve(2) has no environment yet and is waited for. */
async function processesOf(runId: string, attemptId: string): Promise<number[]> {
  const wanted = [`ZCL_RUN_ID=${runId}`, `ZCL_ATTEMPT_ID=${attemptId}`]
  for (let waited = 0; ; waited += execPollMs) {
    const processes = listProcesses()
    const found = processes.filter(({ environment }) => {
      const variables = new Set(environment.split('\0'))
      return wanted.every((each) => variables.has(each))
    })
    const isSettled = !processes.some(({ pid, environment }) => environment === '' && isNew(pid))
    if (isSettled || found.length > 0 || waited >= execWaitMs) return found.map(({ pid }) => pid)
    await new Promise((resolve) => setTimeout(resolve, execPollMs))
  }
}

interface Process {
  pid: number
  /** Variables, each ended by NUL. */
  environment: string
}

function listProcesses(): Process[] {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return []
  }
  return names
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const environment = readIfAllowed(name, 'environ')
      return environment === undefined ? [] : [{ pid: Number(name), environment }]
    })
}

/** Undefined for processes of other users and for processes that have ended. */
function readIfAllowed(pid: string, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}

/** Whether a process of a program started a moment ago. Threads of the kernel and zombies are no programs. */
function isNew(pid: number): boolean {
  try {
    readlinkSync(`/proc/${pid}/exe`)
  } catch {
    return false
  }
  const stat = readIfAllowed(String(pid), 'stat') ?? ''
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ageSeconds = os.uptime() - Number(fields[startTimeField]) / ticksPerSecond
  return ageSeconds < newSeconds
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has already ended.
    }
  }
}
