// Only the owner can read private files, independent of the umask: sessions, undo copies, traces,
// ledgers, captures, notes, memories, keys, and configurations that may contain a key.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-private-'))
const at = (...names: string[]): string => path.join(folder, ...names)
afterAll(() => {
  sh(`"${builtProgram('zino')}" stop --config ZINO/ZINO.toml`)
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a command with umask 000. */
function sh(line: string, env: Record<string, string> = {}): string {
  return execFileSync('sh', ['-c', `umask 000; ${line}`], {
    cwd: folder,
    env: {
      PATH: `${path.dirname(builtProgram('zcl'))}${path.delimiter}${process.env.PATH}`,
      HOME: folder,
      ZDX_HOME: at('zdx'),
      ...env,
    },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Relative paths of files and folders that the group or others can access. */
function openToOthers(file: string): string[] {
  const open = (statSync(file).mode & 0o077) === 0 ? [] : [path.relative(folder, file)]
  if (!statSync(file).isDirectory()) return open
  return [...open, ...readdirSync(file).flatMap((name) => openToOthers(path.join(file, name)))]
}

beforeAll(() => {
  mkdirSync(at('work'))
  const steps = [
    { tool: 'write', input: { path: 'work/a.txt', content: 'first' } },
    { end: true },
    { tool: 'write', input: { path: 'work/a.txt', content: 'second' } },
    { end: true },
    { text: 'done' },
  ]
  writeFileSync(at('play.jsonl'), steps.map((step) => JSON.stringify(step)).join('\n'))
  writeFileSync(at('zino.jsonl'), '{"text":"hello"}\n')
})

describe('only the owner can read', () => {
  it('the sessions, undo copies, stored keys and configuration of zdx', () => {
    sh('zdx --provider script --model play.jsonl exec -p "write it"')
    sh('zdx config init')
    sh('echo sk-test-0123456789 | zdx auth login openai --stdin --insecure-file')
    expect(readdirSync(at('zdx')).length).toBeGreaterThanOrEqual(4)
    expect(openToOthers(at('zdx'))).toEqual([])
  })

  it('the traces and ledgers of zeno', () => {
    sh(`zeno send --root work --log trace.jsonl --op list_files --args '{}'`)
    expect(openToOthers(at('trace.jsonl'))).toEqual([])
    const message = [
      '===ZENO_STATE_UPDATE_JSON===\n{"high_level_summary":"x"}\n===/ZENO_STATE_UPDATE_JSON===',
      '===ZENO_CLAIM_LEDGER_JSONL===\n{"claim_id":"C1"}\n===/ZENO_CLAIM_LEDGER_JSONL===',
    ].join('\n')
    const turn = {
      'thread-id': 't',
      'turn-id': '1',
      cwd: folder,
      'last-assistant-message': message,
    }
    const notification = JSON.stringify({ type: 'agent-turn-complete', ...turn })
    sh(`zeno persist "$NOTIFICATION"`, { ZENO_ROOT: at('zeno'), NOTIFICATION: notification })
    expect(readdirSync(at('zeno'))).toEqual(expect.arrayContaining(['claims', 'state']))
    expect(openToOthers(at('zeno')).filter((name) => statSync(at(name)).isFile())).toEqual([])
  })

  it('the traces, captures and environment files of zcl', () => {
    sh('zcl init; zcl attempt start --suite s --mission m --env-file a.env --env-format sh')
    sh('. ./a.env; zcl run --capture -- echo hi; zcl note --message hi')
    const attempt = sh('. ./a.env; echo "$ZCL_OUT_DIR"').trim()
    expect(openToOthers(at('a.env'))).toEqual([])
    const names = readdirSync(attempt).filter((name) => /jsonl$|^capture/.test(name))
    expect(names).toEqual(expect.arrayContaining(['tool.calls.jsonl', 'notes.jsonl', 'captures']))
    const open = names.flatMap((name) => openToOthers(path.join(attempt, name)))
    expect(open.filter((name) => statSync(at(name)).isFile())).toEqual([])
  })

  it('the configuration and the data folder of zino', () => {
    sh('zino init ZINO --script zino.jsonl --sockets ZINO/run')
    sh('zino up --detach --config ZINO/ZINO.toml')
    sh('zino memory add --config ZINO/ZINO.toml secret plans')
    sh('zino memory soft --config ZINO/ZINO.toml be kind')
    sh('zino chat --config ZINO/ZINO.toml --channel c hello')
    // Other users must be able to read which process owns a lock.
    const open = openToOthers(at('ZINO/data')).filter((name) => !name.endsWith('.lock'))
    expect(open).toEqual([])
    expect(openToOthers(at('ZINO/ZINO.toml'))).toEqual([])
    const mode = (name: string): number => statSync(at('ZINO', name)).mode & 0o777
    expect([mode('run'), mode('run/daemon.sock'), mode('run/exc.sock')]).toEqual([
      0o750, 0o660, 0o660,
    ])
    expect([mode('logs') & 0o007, mode('logs/rtr.log') & 0o007]).toEqual([0, 0])
  })
})
