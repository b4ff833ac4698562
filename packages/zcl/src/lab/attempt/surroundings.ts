// Everything that surrounds the runner of an attempt: its room, the harness's record of events, and the
// funnels that the harness starts for it. Opened and closed together.
import { ZeeError } from '@zee/core/errors'
import type { StartedAttempt } from '@zee/evidence/runs'
import type { Exam } from '@zee/evidence/suite'
import { Gateway } from '../gateway/gateway.ts'
import type { IsolationTool } from '../isolation/isolation.ts'
import { Witness } from '../witness/witness.ts'
import type { Lab, Try } from './attempt.ts'
import { openExamRoom, type ExamRoom } from './exam-room.ts'
import type { Scratch } from './scratch.ts'

export interface ChosenIsolation {
  tool?: IsolationTool | undefined
  /** Why the isolation of the exam is not available. */
  error?: ZeeError
}

export interface PreparedTry {
  lab: Lab
  attempt: Try
  exam: Exam
  isolation: ChosenIsolation
  started: StartedAttempt
  scratch: Scratch
  prompt: string | undefined
  signal: AbortSignal
}

export interface Surroundings {
  room: ExamRoom
  witness: Witness
  gateway: Gateway
  /** The environment of the runner. */
  env: Record<string, string | undefined>
  close(hasPassed: boolean): Promise<void>
}

/** A typed failure if the attempt cannot be set up here: it says nothing about the agent. */
export async function openSurroundings(prepared: PreparedTry): Promise<Surroundings | ZeeError> {
  const { started, scratch, signal } = prepared
  let room: ExamRoom | undefined
  let witness: Witness | undefined
  try {
    room = await openRoom(prepared)
    witness = await Witness.open(started.folder)
    const gateway = await openGateway(prepared, witness)
    const parts = { room, witness, gateway }
    return {
      ...parts,
      env: { ...scratch.env, ...gateway.variables },
      close: (hasPassed) => closeAll(parts, hasPassed),
    }
  } catch (error) {
    await witness?.close()
    await room?.close(false)
    if (error instanceof ZeeError && !signal.aborted) return error
    throw error
  }
}

async function closeAll(
  { room, witness, gateway }: Pick<Surroundings, 'room' | 'witness' | 'gateway'>,
  hasPassed: boolean,
): Promise<void> {
  try {
    await gateway.close()
    await witness.close()
  } finally {
    await room.close(hasPassed)
  }
}

async function openRoom(prepared: PreparedTry): Promise<ExamRoom> {
  const { lab, attempt, exam, isolation, started, scratch, prompt, signal } = prepared
  if (isolation.error !== undefined) throw isolation.error
  const { runId, attemptId, folder } = started
  const { suite, workspaces, baseFolder, env, redactor, launcher, outRoot } = lab
  return openExamRoom({
    exam,
    identity: { runId, suiteId: suite.suiteId, missionId: attempt.missionId, attemptId },
    folder,
    scratch: scratch.scratch,
    workspaces,
    baseFolder,
    env,
    redactor,
    prompt,
    tool: isolation.tool,
    launcher,
    outRoot,
    configFile: scratch.env.ZCL_CONFIG,
    readable: lab.readable ?? [],
    signal,
  })
}

/** Its sockets lie beside the socket of the witness, which isolated attempts see. */
function openGateway({ lab, exam, started, scratch }: PreparedTry, witness: Witness) {
  return Gateway.open({
    exam,
    attemptFolder: started.folder,
    socketFolder: witness.folder,
    launcher: lab.launcher,
    env: scratch.env,
  })
}
