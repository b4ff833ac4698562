// The room of one attempt: its workspace, its isolation and its limits. Opened before the runner starts
// and closed after the grades; what the agent changed is stored in between.
import { promises } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { ensureFolder } from '@zee/core/folders'
import type { Redactor } from '@zee/core/redact'
import { artifactText, readJsonArtifact } from '@zee/evidence/artifact'
import type { AttemptIdentity } from '@zee/evidence/attempt'
import { artifactName, labArtifactName } from '@zee/evidence/layout'
import type { Exam } from '@zee/evidence/suite'
import type { Launcher } from '../../programs/programs.ts'
import type { Gateway } from '../gateway/gateway.ts'
import {
  gradingEnvironment,
  gradeWork,
  isFileChanged,
  isGraded,
  placeVerifierFiles,
  verifierFiles,
  watchFile,
} from '../grading/grading.ts'
import type { Grade, GradingRoom, GradingSubject } from '../grading/grading.ts'
import type { VerifierFile, WatchedFile } from '../grading/grading.ts'
import { openSandbox, type IsolationTool, type Sandbox } from '../isolation/isolation.ts'
import { restoreFolder, startDiskGuard } from '../workspace/workspace.ts'
import type { DiskGuard, Workspace, Workspaces } from '../workspace/workspace.ts'
import { judgeFiles, requireJudgeKey, rubricText } from '../judge/judge.ts'
import { resolvedRunner } from './runner-command.ts'

export interface ExamRoomRequest {
  exam: Exam
  identity: AttemptIdentity
  /** The folder of the attempt; absolute. */
  folder: string
  scratch: string
  workspaces: Workspaces
  /** The folder of the suite file. */
  baseFolder: string
  /** The environment of the harness. */
  env: Readonly<Record<string, string | undefined>>
  redactor: Redactor
  prompt: string | undefined
  /** The program that isolates the attempt, if it is isolated. */
  tool: IsolationTool | undefined
  launcher: Launcher
  outRoot: string
  /** The configuration of the project, which funnels in the workspace need for its redaction rules. */
  configFile: string | undefined
  readable: readonly string[]
  signal: AbortSignal
}

/** What the runner needs besides its room. */
export interface RunnerSurroundings {
  env: Readonly<Record<string, string | undefined>>
  folders: readonly string[]
  gateway: Gateway
}

interface RoomParts {
  workspace: Workspace | undefined
  sandbox: Sandbox
  files: readonly VerifierFile[]
  judgeFiles: readonly WatchedFile[]
  /** Empty without a judge. */
  rubric: string
}

const verifierWords = 'the files of the verifier'
const judgeWords = 'the files of the judge'

export class ExamRoom {
  readonly #request: ExamRoomRequest
  readonly #workspace: Workspace | undefined
  readonly #sandbox: Sandbox
  readonly #files: readonly VerifierFile[]
  readonly #judgeFiles: readonly WatchedFile[]
  readonly #rubric: string
  readonly #guard: DiskGuard | undefined
  #workspaceFile: Record<string, unknown> | undefined
  #hasChanges = false

  constructor(request: ExamRoomRequest, parts: RoomParts) {
    this.#request = request
    this.#workspace = parts.workspace
    this.#sandbox = parts.sandbox
    this.#files = parts.files
    this.#judgeFiles = parts.judgeFiles
    this.#rubric = parts.rubric
    const { workspace } = parts
    this.#guard =
      workspace === undefined
        ? undefined
        : startDiskGuard([workspace.path, request.scratch, request.folder], workspace.maxBytes)
  }

  /** Where the runner starts, if the exam has a say in it. */
  get cwd(): string | undefined {
    return this.#workspace?.path
  }

  /** Aborts when the attempt fills the disk. */
  get signal(): AbortSignal | undefined {
    return this.#guard?.signal
  }

  /** The command of the runner, typed in `cwd`, as it starts in this room; it may use `folders`. */
  runnerCommand(
    command: readonly string[],
    cwd: string,
    { env, folders, gateway }: RunnerSurroundings,
  ): string[] {
    if (this.#workspace === undefined) return [...command]
    return this.#sandbox.wrap(gateway.wrap(resolvedRunner(command, cwd)), env, folders)
  }

  /** The runner has ended: where it removed or replaced a folder, there is an empty one again. */
  restore(): void {
    for (const folder of [this.#workspace?.path, this.#request.scratch]) {
      if (folder !== undefined) restoreFolder(folder)
    }
  }

  /** Call this when the runner has ended: stores what it changed. True if it filled the disk. */
  async runnerEnded(): Promise<boolean> {
    const workspace = this.#workspace
    if (workspace === undefined) return false
    const isOverLimit = (await this.#guard?.end()) === true
    const { diff, ...changes } = await workspace.changes()
    const { folder, redactor } = this.#request
    const { source, copied } = workspace
    this.#hasChanges = changes.added + changes.modified + changes.deleted > 0
    this.#workspaceFile = { source, files: copied.files.size, bytes: copied.bytes, changes }
    await writeFileAtomic(
      path.join(folder, labArtifactName.workspaceDiff),
      redactor.text(diff).text,
    )
    return isOverLimit
  }

  /** Whether the runner changed its workspace, as far as it has ended. */
  get hasChanges(): boolean {
    return this.#hasChanges
  }

  /** Places the verifier's files and runs all graders. */
  async grade(signal: AbortSignal): Promise<Grade> {
    const { exam, identity, folder, scratch, env, redactor } = this.#request
    if (!isGraded(exam)) return { ok: true }
    const workspace = this.#workspace?.path ?? scratch
    const changed = this.#changedFiles()
    if (changed !== undefined) {
      const message = `${changed} changed during the run`
      return { ok: false, code: 'ZCL_E_WORKSPACE_CHANGED', message, isInfra: true }
    }
    if (exam.verify !== undefined) await placeVerifierFiles(this.#files, workspace)
    const home = path.join(scratch, 'verifier-home')
    await promises.rm(home, { recursive: true, force: true })
    ensureFolder(home, 0o700)
    const own = { HOME: home, ZCL_WORKSPACE: workspace, ZCL_MISSION_ID: identity.missionId }
    const plain = gradingEnvironment(env, redactor, own)
    const room: GradingRoom = {
      identity,
      workspace,
      env: plain,
      subject: this.#subject(),
      judge: {
        env,
        baseFolder: this.#request.baseFolder,
        rubric: this.#rubric,
        cacheFolder: judgeCache(env),
      },
      redactor,
      signal,
      sandbox: (command) => this.#sandbox.wrap(command, plain),
    }
    return gradeWork(exam, folder, room)
  }

  #changedFiles(): string | undefined {
    if (isFileChanged(this.#files)) return verifierWords
    return isFileChanged(this.#judgeFiles) ? judgeWords : undefined
  }

  #subject(): GradingSubject {
    const { folder, identity, prompt } = this.#request
    const { runId, suiteId, missionId, attemptId } = identity
    const read = readJsonArtifact({ path: folder, within: folder }, artifactName.feedback)
    const { ok, result, resultJson } = read.failure === undefined ? read.value : {}
    return {
      runId,
      suiteId,
      missionId,
      attemptId,
      prompt,
      ok: typeof ok === 'boolean' ? ok : undefined,
      result: typeof result === 'string' ? result : undefined,
      resultJson,
    }
  }

  /** Removes or keeps the workspace. */
  async close(hasPassed: boolean): Promise<void> {
    await this.#guard?.end()
    await this.#sandbox.close()
    const retained = await this.#workspace?.close(hasPassed)
    if (this.#workspaceFile === undefined) return
    const { folder, identity, exam } = this.#request
    const { runId, suiteId, missionId, attemptId } = identity
    const { source, files, bytes, changes } = this.#workspaceFile
    const retain = exam.workspace?.retain ?? 'never'
    const ids = { schemaVersion: 1, runId, suiteId, missionId, attemptId }
    const file = { ...ids, source, files, bytes, retain, retained, changes }
    await writeFileAtomic(path.join(folder, labArtifactName.workspace), artifactText(file))
  }
}

/** Answers of judges are cached in the folder of the user, where isolated attempts see nothing. */
function judgeCache({ HOME }: Readonly<Record<string, string | undefined>>): string | undefined {
  return HOME === undefined || HOME === '' ? undefined : path.join(HOME, '.zcl/cache/judge')
}

/** Throws a typed error if the workspace or the isolation is not available. */
export async function openExamRoom(request: ExamRoomRequest): Promise<ExamRoom> {
  const { exam, identity, folder, workspaces, baseFolder, signal } = request
  const files = verifierFiles(exam.verify ?? [], baseFolder)
  for (const { source, fingerprint } of files) {
    workspaces.requireUnchanged(source, fingerprint, verifierWords)
  }
  const { judge } = exam
  if (judge !== undefined) await requireJudgeKey(judge, request.env)
  const ofJudge = judge === undefined ? [] : judgeFiles(judge, baseFolder).map(watchFile)
  for (const { source, fingerprint } of ofJudge) {
    workspaces.requireUnchanged(source, fingerprint, judgeWords)
  }
  const rubric = judge === undefined ? '' : rubricText(judge, baseFolder)
  const hidden = [...files, ...ofJudge].map(({ source }) => source)
  const spec = exam.workspace ?? (needsWorkspace(exam) ? {} : undefined)
  const workspace =
    spec === undefined
      ? undefined
      : await workspaces.open({
          spec,
          attemptId: identity.attemptId,
          attemptFolder: folder,
          hidden,
          signal,
        })
  try {
    const { tool, scratch, launcher, env, outRoot } = request
    const sandbox = await openSandbox({
      exam,
      tool,
      writable: [workspace?.path ?? folder, folder, scratch],
      scratch,
      hidden,
      private: [outRoot, baseFolder],
      baseFolder,
      readable: [request.configFile, ...request.readable].filter((file) => file !== undefined),
      launcher,
      env,
    })
    return new ExamRoom(request, { workspace, sandbox, files, judgeFiles: ofJudge, rubric })
  } catch (error) {
    await workspace?.close(true)
    throw error
  }
}

/** Verifiers and isolated runners need a folder of their own, even an empty one. */
function needsWorkspace({ verify, score, isolation = 'none' }: Exam): boolean {
  const hasVerifier = (verify ?? []).length > 0 || score?.command !== undefined
  return hasVerifier || score?.fileHash !== undefined || isolation !== 'none'
}
