import { spawn } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { childProgram } from '../../../test/support/paths.ts'
import { corpusOf, tree } from '../test/support/trees.ts'
import type { Corpus } from './corpus.ts'

const quietly = async (work: Promise<unknown>): Promise<string> => {
  try {
    return JSON.stringify(await work)
  } catch (error) {
    return (error as Error).message
  }
}

describe.each([false, true])('a corpus with ownsProcess: %s', (ownsProcess) => {
  test('returns no byte from outside the root while names flip between files and links', async () => {
    const outside = tree({ 'secret.txt': 'TOPSECRET needle\n' })
    const root = tree({ 'file.txt': 'harmless\n', 'z.txt': 'needle\n' })
    const flipper = spawn(process.execPath, [childProgram('corpus', 'flip-names'), root, outside], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const exit = once(flipper, 'exit')
    await once(flipper.stdout, 'data')
    const corpus = corpusOf(root, { ownsProcess })
    try {
      for (let round = 0; round < 400; round++) {
        const answers = [
          await quietly(corpus.read({ path: 'file.txt', end_line: 9 })),
          await quietly(corpus.read({ path: 'folder/secret.txt', end_line: 9 })),
          await quietly(corpus.peek({ path: 'folder/secret.txt' })),
          await quietly(corpus.grep({ pattern: 'needle', include_hidden: true })),
          await quietly(corpus.symbols({ path: 'file.txt' })),
        ]
        for (const answer of answers) expect(answer).not.toContain('TOPSECRET')
        // The rest of the tree is still searched.
        expect(answers[3]).toContain('z.txt')
      }
    } finally {
      flipper.stdin.end()
      await exit
    }
  })

  test('never opens a FIFO or a device', async () => {
    const root = tree({ a: 'x' })
    execFileSync('mkfifo', [path.join(root, 'fifo')])
    symlinkSync('/dev/zero', path.join(root, 'zero'))
    const corpus = corpusOf(root, { ownsProcess })
    // The writer blocks until a reader opens the FIFO.
    const writer = spawn('/bin/sh', ['-c', `echo opened > "$1"`, 'sh', path.join(root, 'fifo')])
    try {
      for (const request of [{ path: 'fifo' }, { path: 'zero' }]) {
        expect(await quietly(corpus.read(request))).toMatch(/Not a regular file|outside/)
        expect(await quietly(corpus.peek(request))).toMatch(/Not a regular file|outside/)
        expect(await quietly(corpus.symbols(request))).toMatch(/Not a regular file|outside/)
      }
      await corpus.grep({ pattern: 'x' })
      await corpus.summary({})
      await corpus.chunks({})
      expect(writer.exitCode).toBeNull()
    } finally {
      writer.kill('SIGKILL')
      await once(writer, 'exit')
    }
  })

  test('leaves no descriptor open after completed, failed and cancelled operations', async () => {
    const root = tree({ 'a/b/c.txt': 'needle\n', 'big.txt': 'x\n'.repeat(100_000) })
    const corpus = corpusOf(root, { ownsProcess })
    const open = (): string[] =>
      readdirSync('/proc/self/fd').flatMap((fd) => {
        try {
          return [readlinkSync(`/proc/self/fd/${fd}`)]
        } catch {
          return []
        }
      })
    await everything(corpus)
    const left = open().filter((one) => one.startsWith(root))
    expect(left).toEqual([])
  })
})

async function everything(corpus: Corpus): Promise<void> {
  const cancelled = new AbortController()
  cancelled.abort()
  for (const signal of [undefined, cancelled.signal]) {
    const options = signal === undefined ? {} : { signal }
    await quietly(corpus.list({ max_files: 1 }, options))
    await quietly(corpus.grep({ pattern: 'needle', max_hits: 1 }, options))
    await quietly(corpus.grep({ pattern: '(x+)+y', regex: true }, options))
    await quietly(corpus.grep({ pattern: 'x', max_bytes: 1 }, options))
    await quietly(corpus.read({ path: 'big.txt', end_line: 3 }, options))
    await quietly(corpus.read({ path: 'big.txt', start_byte: 3 }, options))
    await quietly(corpus.read({ path: 'a' }, options))
    await quietly(corpus.symbols({ path: 'a/b/c.txt' }, options))
    await quietly(corpus.summary({ max_files: 1 }, options))
    await quietly(corpus.chunks({ max_chars: 10, max: 2 }, options))
  }
}

describe('a request', () => {
  test('sees every earlier change, even if size and mtime are unchanged', async () => {
    const root = tree()
    const corpus = corpusOf(root)
    const random = seeded(20_261_115)
    const files = new Map<string, string>()
    for (let round = 0; round < 500; round++) {
      const name = `d${random(3)}-f${random(8)}.txt`
      const word = `w${random(1000)}`.padEnd(6, '_')
      const change = random(4)
      await change_(root, files, name, word, change)
      const { hits } = await corpus.grep({ pattern: word })
      const expected = [...files].filter(([, text]) => text.includes(word)).map(([path]) => path)
      expect(hits.map((hit) => hit.path)).toEqual(expected.sort())
      expect((await corpus.list()).files).toEqual([...files.keys()].sort())
      const asked = files.has(name) ? (await corpus.read({ path: name })).text : undefined
      expect(asked).toBe(files.get(name)?.trimEnd())
    }
  })
})

/** Writes, rewrites at the same size and time, removes or renames one file. */
async function change_(
  root: string,
  files: Map<string, string>,
  name: string,
  word: string,
  kind: number,
): Promise<void> {
  const { rename, rm, stat, utimes, writeFile } = await import('node:fs/promises')
  const at = path.join(root, name)
  if (kind === 0 && files.has(name)) {
    await rm(at)
    files.delete(name)
  } else if (kind === 1 && files.has(name)) {
    const other = `renamed-${word}.txt`
    await rename(at, path.join(root, other))
    files.set(other, files.get(name) as string)
    files.delete(name)
  } else {
    const before = files.has(name) ? await stat(at) : undefined
    const text = `text ${word}\n`
    await writeFile(at, text)
    if (before !== undefined) await utimes(at, before.atime, before.mtime)
    files.set(name, text)
  }
}

/** A reproducible random number generator. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

describe('a repeated request', () => {
  test('returns the same result except for the elapsed time', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`d${n % 7}/f${n}.py`, `def f${n}(): # needle\n`]),
    )
    const root = tree(files)
    writeFileSync(path.join(root, 'late.py'), 'needle')
    const [one, two] = [corpusOf(root), corpusOf(root)]
    const plain = (result: { metrics: object }): string =>
      JSON.stringify({ ...result, metrics: { ...result.metrics, time_ms: 0 } })
    const requests: ((corpus: Corpus) => Promise<{ metrics: object }>)[] = [
      (corpus) => corpus.list({ max: 9 }),
      (corpus) => corpus.grep({ pattern: 'needle', max_hits: 13, context: 1 }),
      (corpus) => corpus.grep({ pattern: 'n.*e\\b', regex: true, max_hits: 13 }),
      (corpus) => corpus.summary({}),
      (corpus) => corpus.chunks({ max_chars: 50 }),
      (corpus) => corpus.symbols({ path: 'd0/f0.py' }),
    ]
    for (const request of requests) {
      const first = plain(await request(one))
      expect(plain(await request(one))).toBe(first)
      expect(plain(await request(two))).toBe(first)
    }
  })
})
