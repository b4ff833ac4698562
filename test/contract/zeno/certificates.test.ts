// Certificates against a dishonest server and a changed tree: the independent checker of the examples must notice every
// match that an answer hides or invents, and every match that is written, moved or removed after the answer.
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { repository } from '../../support/paths.ts'
import type { Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = createSandbox()
})
afterEach(() => box.remove())

const hasPython = spawnSync('python3', ['--version']).status === 0
const checker = path.join(repository, 'examples/zeno/check-certificate.py')
/** `npm test` tries each kind of forgery four times, `npm run test:long` 200 times. */
const rounds = process.env.ZEE_ROUNDS === undefined ? 4 : 200

interface Hit {
  path: string
  line: number
  text: string
}

function check(answer: Json): { status: number | null; stdout: string } {
  const file = path.join(box.base, 'answer.json')
  writeFileSync(file, JSON.stringify(answer))
  const env = { ...process.env, RG: rgPath }
  return spawnSync('python3', [checker, box.root, file], { env, encoding: 'utf8' })
}

/** Forges the answer, or changes the tree; returns what the checker must say. */
type Forgery = (hits: Hit[], round: number) => { hits: Hit[]; said: RegExp }

const fileOf = (round: number): string => `d${round % 7}/f${(round * 13) % 40}.txt`

const forgeries: Record<string, Forgery> = {
  'hides a match': (hits, round) => {
    const hidden = hits[round % hits.length] as Hit
    const said = new RegExp(`hidden by the answer: ${hidden.path}:${hidden.line}$`, 'm')
    return { hits: hits.filter((hit) => hit !== hidden), said }
  },
  'invents a match': (hits, round) => {
    const invented = { path: fileOf(round), line: 9000, text: 'needle' }
    return {
      hits: [...hits, invented],
      said: new RegExp(`not found by ripgrep: ${invented.path}:9000$`, 'm'),
    }
  },
  'misses a match that is written later': (hits, round) => {
    appendFileSync(path.join(box.root, fileOf(round)), `needle ${round}\n`)
    return { hits, said: /^root: the certificate says/m }
  },
  'misses a match in a new file': (hits, round) => {
    box.put({ [`new/${round}.txt`]: 'needle\n' })
    return { hits, said: /^files: the certificate says/m }
  },
  'names a file by its old name': (hits, round) => {
    const file = path.join(box.root, fileOf(round))
    renameSync(file, `${file}.renamed`)
    return { hits, said: /^root: the certificate says/m }
  },
}

describe.skipIf(!hasPython)('the independent checker', () => {
  it.each(Object.keys(forgeries))(
    'notices every answer that %s',
    async (name) => {
      box.put({ '.env': 'needle\n' })
      for (let file = 0; file < 280; file++) {
        const text = `line\n${file % 5 === 0 ? 'a needle\n' : ''}end ${file}\n`
        box.put({ [`d${file % 7}/f${file % 40}.txt`]: text })
      }
      symlinkSync('../.env', path.join(box.root, 'd0/link.txt'))
      execFileSync('git', ['init', '-q', box.root])
      const client = box.server()
      for (let round = 0; round < rounds; round++) {
        const args = { pattern: 'needle', certify: true, max_hits: 100_000 }
        const result = await client.ok('grep', args)
        expect(check({ ok: true, result })).toMatchObject({ status: 0 })
        const before = fileOf(round)
        const content = readFileSync(path.join(box.root, before))
        const { hits, said } = (forgeries[name] as Forgery)(result.hits as Hit[], round)
        const checked = check({ ok: true, result: { ...result, hits } })
        expect(checked, `round ${round}`).toMatchObject({
          status: 1,
          stdout: expect.stringMatching(said),
        })
        writeFileSync(path.join(box.root, before), content)
      }
    },
    30_000 + rounds * 5000,
  )
})

describe('a denied link, or a link to a denied file', () => {
  it.each([
    { link: 'src/plain.txt', target: '../.env' },
    { link: 'plain.txt', target: 'src/chain.txt' },
    { link: 'key.pem', target: 'src/a.txt' },
  ])('is counted as denied, also where the request names it: $link', async ({ link, target }) => {
    box.put({ '.env': 'needle\n', 'src/a.txt': 'needle\n' })
    symlinkSync('../.env', path.join(box.root, 'src/chain.txt'))
    symlinkSync(target, path.join(box.root, link))
    const client = box.server()
    for (let round = 0; round < 4; round++) {
      const args = { pattern: 'needle', certify: true, paths: [link] }
      const result = await client.ok('grep', args)
      expect(result).toMatchObject({
        hits: [],
        skipped_denied: 1,
        certificate: { files: 0, excluded: { files: 1, by: ['denied'] } },
      })
      const { error } = await client.ask('read_file', { path: link })
      expect(error.message).toContain('denied by rule')
    }
    const all = await client.ok('grep', { pattern: 'needle', certify: true })
    expect(all).toMatchObject({ hits: [{ path: 'src/a.txt' }], skipped_denied: 2 })
  })

  it('is not counted if it dangles or leaves the root', async () => {
    box.put({ 'a.txt': 'needle\n' })
    symlinkSync('.env', path.join(box.root, 'dangling.txt'))
    symlinkSync(path.join(box.base, '.env'), path.join(box.root, 'outside.txt'))
    writeFileSync(path.join(box.base, '.env'), 'needle\n')
    const result = await box.server().ok('grep', { pattern: 'needle', certify: true })
    expect(result).not.toHaveProperty('skipped_denied')
    expect(result.certificate).toMatchObject({ excluded: { files: 2, by: ['unreadable'] } })
  })
})
