// Ends the orphaned runner of a killed worker. The runner has its own session, so it survives the worker
// and would act in parallel with the next try. Its processes are found by their environment.
import { readdirSync, readFileSync } from 'node:fs'

const termGraceMs = 2000
const pollMs = 20

/** Ends the processes of a try on this machine; does nothing on systems without /proc. */
export async function endOrphans(runId: string, attemptId: string): Promise<void> {
  const left = processesOf(runId, attemptId)
  if (left.length === 0) return
  signalAll(left, 'SIGTERM')
  for (let waited = 0; waited < termGraceMs; waited += pollMs) {
    if (processesOf(runId, attemptId).length === 0) return
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  signalAll(processesOf(runId, attemptId), 'SIGKILL')
}

function processesOf(runId: string, attemptId: string): number[] {
  const wanted = [`ZCL_RUN_ID=${runId}`, `ZCL_ATTEMPT_ID=${attemptId}`]
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return []
  }
  return names
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      const variables = new Set(environmentOf(name).split('\0'))
      return wanted.every((each) => variables.has(each))
    })
    .map(Number)
}

/** Empty for processes of other users and for processes that have ended. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
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
