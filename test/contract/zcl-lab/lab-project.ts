// A temporary project for lab tests: suites, small agents in sh, and the built zcl.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { builtProgram } from '../../support/paths.ts'
import { Project, readJson, type Json } from '../zcl/project.ts'

export interface SuiteRun {
  code: number | null
  err: string
  out: string
  json: SuiteRunJson
  folder: string
}

export interface SuiteRunJson extends Json {
  ok: boolean
  runId: string
  passed: number
  failed: number
  infra: number
  attempts: {
    attemptId: string
    missionId: string
    attemptDir: string
    ok: boolean
    outcome: string
    code?: string
    retry: number
  }[]
}

export class LabProject extends Project {
  readonly outRoot = path.join(this.folder, '.zcl')

  /** Writes an agent script with this body, which can call `zcl`. */
  agent(body: string, name = 'agent.sh'): string {
    const zcl = `zcl() { '${builtProgram('zcl')}' "$@"; }`
    const file = this.write(name, `#!/bin/sh\n${zcl}\n${body}\n`)
    chmodSync(file, 0o755)
    return `./${name}`
  }

  suite(missions: object[] = [{ missionId: 'one', prompt: 'do it' }], extra: object = {}): string {
    this.write('suite.json', { suiteId: 'demo', ...extra, missions })
    return 'suite.json'
  }

  async suiteRun(
    flags: readonly string[],
    runner: readonly string[],
    env: Record<string, string | undefined> = {},
  ): Promise<SuiteRun> {
    const file = existsSync(path.join(this.folder, 'suite.json')) ? 'suite.json' : this.suite()
    const args = ['suite', 'run', '--file', file, '--json', ...flags, '--', ...runner]
    return this.answerOf(await this.zcl(args, { env }))
  }

  async resume(runId: string, flags: readonly string[] = []): Promise<SuiteRun> {
    return this.answerOf(await this.zcl(['suite', 'resume', '--run-id', runId, '--json', ...flags]))
  }

  answerOf(ran: { code: number | null; err: string; out: string }): SuiteRun {
    let json: SuiteRunJson
    try {
      json = JSON.parse(ran.out) as SuiteRunJson
    } catch {
      throw new Error(`no JSON (exit ${ran.code}): ${ran.err}\n${ran.out}`)
    }
    return { ...ran, json, folder: this.runFolder(json.runId) }
  }

  runFolder(runId: string): string {
    return path.join(this.outRoot, 'runs', runId)
  }

  artifact(run: { folder: string }, attemptId: string, name: string): Json {
    return readJson(path.join(run.folder, 'attempts', attemptId, name))
  }

  attempts(run: { folder: string }): string[] {
    return readdirSync(path.join(run.folder, 'attempts')).sort()
  }
}

/** A zombie process counts as ended. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}

/** Writes its result to a file; starts one shell only. */
export const quickRunner = [
  'sh',
  '-c',
  `echo '{"ok":true,"result":"done"}' > "$ZCL_OUT_DIR/mission.result.json"`,
]
export const fromFile = ['--finalization-mode', 'auto_from_result_json']
