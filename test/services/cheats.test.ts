import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repository } from '../support/paths.ts'
import { asProcess } from '../contract/run-here.ts'
import { cheats, writeCheats } from './cheats.ts'
import { LabProject, type SuiteRun } from '../contract/zcl-lab/lab-project.ts'

const isolated = new LabProject()
const open = new LabProject()
const bare = new LabProject()
let server: Server
let env: Record<string, string>
const isolatedNames = [
  ...['reference', 'outlive-hidden', 'read-verifier', 'read-suite', 'read-neighbour'],
  ...['ask-network', 'kill-harness', 'taint-source', 'after-taint'],
]
const openNames = Object.keys(cheats).filter((name) => name !== 'kill-harness')

/** Only where the kernel allows unprivileged namespaces; elsewhere the typed failure is tested. */
const probe = ['-Urmpnf', 'sh', '-c', 'mount -t tmpfs t /tmp && mount -t proc p /proc']
const hasNamespaces = spawnSync('unshare', probe).status === 0

beforeAll(async () => {
  server = createServer((_, response) => response.end('right\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // An isolated attempt sees the files of the built program.
  env = { ...asProcess, HELP: `http://127.0.0.1:${port}/`, NODE: process.execPath }
})
afterAll(() => {
  server.close()
  isolated.remove()
  open.remove()
  bare.remove()
})

const outcomesOf = ({ json }: SuiteRun) =>
  Object.fromEntries(
    json.attempts.map(({ missionId, outcome, code }) => [missionId, code ?? outcome]),
  )

describe('without isolation', () => {
  test('every cheat is prevented, detected, or succeeds as the docs say', async () => {
    const agent = writeCheats(open, openNames, {})
    const run = await open.suiteRun(['--parallel', '1'], [agent], env)
    const forged = 'ZCL_E_FORGED_EVIDENCE'
    expect(outcomesOf(run)).toEqual({
      reference: 'passed',
      'claim-only': 'ZCL_E_UNPROVEN',
      'claim-wrong-work': 'ZCL_E_VERIFY_FAILED',
      'edit-tests': 'ZCL_E_VERIFY_FAILED',
      'plant-beside-tests': 'ZCL_E_VERIFY_FAILED',
      'link-tests': 'ZCL_E_VERIFY_FAILED',
      'poison-home': 'ZCL_E_VERIFY_FAILED',
      'write-feedback': forged,
      'forge-line': forged,
      'edit-line': forged,
      'delete-trace': forged,
      'edit-attempt': forged,
      'write-outcome': forged,
      'edit-suite': forged,
      'cut-record': forged,
      outlive: 'ZCL_E_VERIFY_FAILED',
      'fill-disk': 'ZCL_E_DISK_LIMIT',
      'read-history': 'ZCL_E_VERIFY_FAILED',
      'taint-source': 'ZCL_E_VERIFY_FAILED',
      'after-taint': 'ZCL_E_WORKSPACE_CHANGED',
      // Neither prevented nor detected without isolation.
      'outlive-hidden': 'passed',
      'read-verifier': 'passed',
      'read-suite': 'passed',
      'read-neighbour': 'passed',
      'ask-network': 'passed',
      // Neither prevented nor detected.
      'print-verdict': 'passed',
      'guess-with-alibi': 'passed',
      'speak-to-harness': 'passed',
    })
  }, 120_000)
})

describe('in namespaces', () => {
  test.runIf(hasNamespaces)(
    'the cheats that need the rest of the machine are prevented',
    async () => {
      const agent = writeCheats(isolated, isolatedNames, {
        isolation: 'namespace',
        network: 'none',
      })
      // The built program: its own script is what a sandbox shows.
      const args = ['suite', 'run', '--file', 'suite.json', '--json', '--parallel', '2']
      const ran = await isolated.program([...args, '--', agent], { env })
      const run = isolated.answerOf(ran)
      expect(outcomesOf(run)).toEqual({
        reference: 'passed',
        'outlive-hidden': 'ZCL_E_VERIFY_FAILED',
        'read-verifier': 'ZCL_E_VERIFY_FAILED',
        'read-suite': 'ZCL_E_SCORE_FAILED',
        'read-neighbour': 'ZCL_E_VERIFY_FAILED',
        'ask-network': 'ZCL_E_VERIFY_FAILED',
        'kill-harness': 'ZCL_E_VERIFY_FAILED',
        'taint-source': 'ZCL_E_VERIFY_FAILED',
        'after-taint': 'ZCL_E_VERIFY_FAILED',
      })
      expect(isolated.artifact(run, '001-reference-r1', 'attempt.json')).toMatchObject({
        isolation: 'namespace',
        isolationTool: expect.stringMatching(/^(?:bwrap|unshare)$/),
        network: 'none',
      })
    },
    120_000,
  )

  test('an isolation that is not available is a typed infra failure', async () => {
    bare.suite([{ missionId: 'one' }], { isolation: 'namespace' })
    const folder = path.join(bare.folder, 'bin')
    mkdirSync(folder)
    symlinkSync(process.execPath, path.join(folder, 'node'))
    const run = await bare.suiteRun([], ['/bin/true'], { PATH: folder })
    expect(outcomesOf(run)).toEqual({ one: 'ZCL_E_ISOLATION_UNAVAILABLE' })
    expect(run.json).toMatchObject({ ok: false, infra: 1 })
    expect(bare.artifact(run, '001-one-r1', 'attempt.json')).toMatchObject({
      isolation: 'namespace',
    })
  })
})

test('the docs have a row for each cheat', () => {
  const docs = readFileSync(path.join(repository, 'docs/zcl-exam.md'), 'utf8')
  const rows = [...docs.matchAll(/^\| `([a-z-]+)`/gm)].map(([, name]) => name)
  expect(rows).toEqual(expect.arrayContaining(Object.keys(cheats).filter(isCheat)))
  expect(Object.keys(cheats).filter(isCheat).length).toBeGreaterThanOrEqual(20)
})

function isCheat(name: string): boolean {
  return name !== 'reference' && name !== 'after-taint'
}
