// SIGKILL during a snapshot, a shell command or an undo: the tree before the turn is never lost.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Sandbox } from '../sandbox.ts'
import { createSandbox } from '../sandbox.ts'

const rounds = Math.ceil(Number(process.env.ZEE_ROUNDS ?? 4))

function treeOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== '.git' && !name.startsWith('.git/'))
    .sort()
    .map((name) => {
      const file = path.join(root, name)
      const stats = statSync(file)
      const mode = (stats.mode & 0o777).toString(8)
      return stats.isDirectory()
        ? `${name}/ ${mode}`
        : `${name} ${mode} ${readFileSync(file, 'utf8')}`
    })
}

const changes =
  'for i in 1 2 3 4 5 6 7 8 9; do echo more >> src/$i; mv old/$i old/n$i; mkdir -p new/$i; echo x > new/$i/f; chmod 600 kept/$i; done'

function makeProject(box: Sandbox, isGit: boolean): void {
  for (const folder of ['src', 'old', 'kept']) {
    mkdirSync(path.join(box.root, folder))
    for (let number = 1; number <= 9; number++) {
      writeFileSync(path.join(box.root, folder, String(number)), `${folder} ${number}\n`)
    }
  }
  const steps = [{ tool: 'bash', input: { command: changes } }, { end: true }, { text: 'done' }]
  writeFileSync(
    path.join(box.base, 'play.jsonl'),
    steps.map((step) => JSON.stringify(step)).join('\n'),
  )
  if (!isGit) return
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@x', ...args], {
      cwd: box.root,
      stdio: 'ignore',
    })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-q', '-m', 'start')
  writeFileSync(path.join(box.root, 'untracked'), 'untracked\n')
}

/** Waits for shell commands that outlive the zdx process that started them. */
async function commandsEnd(box: Sandbox): Promise<void> {
  if (!existsSync('/proc/self/cwd')) return pause(1000)
  while (readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && runsIn(pid, box.root))) {
    await pause(20)
  }
}

function runsIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
  } catch {
    // The process has ended.
    return false
  }
}

async function killed(box: Sandbox, args: string[], afterMs: number): Promise<void> {
  const child = box.start(args)
  child.stdout?.resume()
  child.stderr?.resume()
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
  await once(child, 'close')
  clearTimeout(timer)
  await commandsEnd(box)
}

it(
  `a turn and its undo survive SIGKILL at ${rounds} random instants`,
  { timeout: 3_600_000 },
  async () => {
    for (let round = 0; round < rounds; round++) {
      const box = createSandbox()
      try {
        makeProject(box, round % 2 === 0)
        const before = treeOf(box.root)
        const play = path.join(box.base, 'play.jsonl')
        const flags = ['--session', 's', '--provider', 'script', '--model', play]
        const turn = [...flags, 'exec', '-p', 'go']
        if (round % 4 < 2) await killed(box, turn, 60 + Math.random() * 400)
        else expect((await box.zdx(turn)).code).toBe(0)
        const changed = treeOf(box.root)
        await killed(box, ['sessions', 'undo', 's'], 60 + Math.random() * 300)
        const ran = await box.zdx(['sessions', 'undo', 's'])
        expect(treeOf(box.root), `round ${round}: ${ran.stderr}`).toEqual(before)
        if (round % 4 < 2) continue
        expect(await box.zdx(['sessions', 'redo', 's'])).toMatchObject({ code: 0, stderr: '' })
        expect(treeOf(box.root)).toEqual(changed)
      } finally {
        box.remove()
      }
    }
  },
)
