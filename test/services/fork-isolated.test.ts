// zcl started by a link, as npm installs it: attempts in a namespace, and forks of them.
import { spawnSync } from 'node:child_process'
import { chmodSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { builtProgram } from '../support/paths.ts'
import { runFile } from '../support/run-program.ts'
import { linesOf, type Json } from '../contract/zcl/project.ts'
import { LabProject } from '../contract/zcl-lab/lab-project.ts'

/** Only where the kernel allows unprivileged namespaces. */
const probe = ['-Urmpnf', 'sh', '-c', 'mount -t tmpfs t /tmp && mount -t proc p /proc']
const hasNamespaces = spawnSync('unshare', probe).status === 0

const lab = new LabProject()
afterAll(() => lab.remove())

test.skipIf(!hasNamespaces)(
  'a shim of an isolated attempt works when zcl was started by a link, and so does a fork of the attempt',
  async () => {
    const tool = lab.write('tools/measure', '#!/bin/sh\necho 80\n')
    chmodSync(tool, 0o755)
    const link = path.join(lab.folder, 'zcl-link')
    symlinkSync(builtProgram('zcl'), link)
    lab.suite([{ missionId: 'one', prompt: 'go' }], {
      isolation: 'namespace',
      expose: ['tools'],
      network: 'none',
    })
    const script = `[ "$(measure width)" = 80 ] && ok=true || ok=false
echo "{\\"ok\\":$ok,\\"result\\":\\"done\\"}" > "$ZCL_OUT_DIR/mission.result.json"`
    const zcl = async (...args: string[]): Promise<Json> => {
      const env = { PATH: `${lab.folder}/tools:${process.env.PATH}` }
      const ran = await runFile(link, [...args], { cwd: lab.folder, env })
      expect(ran.code, ran.stderr).toBe(0)
      return JSON.parse(ran.stdout) as Json
    }
    const flags = ['--shim', 'measure', '--finalization-mode', 'auto_from_result_json', '--json']
    const run = await zcl(
      'suite',
      'run',
      '--file',
      'suite.json',
      ...flags,
      '--',
      'sh',
      '-c',
      script,
    )
    expect(run).toMatchObject({ passed: 1, attempts: [{ outcome: 'passed' }] })
    const [{ attemptDir }] = run.attempts as [{ attemptDir: string }]
    const calls = linesOf(path.resolve(lab.folder, attemptDir, 'tool.calls.jsonl'))
    expect(calls).toMatchObject([{ tool: 'cli', input: { argv: ['measure', 'width'] } }])

    const fork = await zcl('fork', attemptDir, '--json')
    expect(fork).toMatchObject({
      identical: true,
      outcome: 'passed',
      calls: { served: 1, live: 0 },
    })
    lab.write('patch.json', { stdout: '81\n' })
    const patched = await zcl('fork', attemptDir, '--at', '1', '--patch', 'patch.json', '--json')
    expect(patched).toMatchObject({ flipped: true, outcome: 'failed', calls: { patched: 1 } })
    expect(
      lab.artifact({ folder: lab.runFolder(String(patched.runId)) }, '001-one-r1', 'attempt.json'),
    ).toMatchObject({ isolation: 'namespace' })
  },
  60_000,
)
