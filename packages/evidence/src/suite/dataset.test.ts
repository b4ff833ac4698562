import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseCsv } from './csv.ts'
import { parseSuite } from './suite.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'zcl-dataset-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(base, name)), { recursive: true })
  writeFileSync(path.join(base, name), text)
}
const loadYaml = async () => (text: string) => ({
  value: parse(text) as unknown,
  lineOf: () => 1,
})
const missionsOf = async (missions: object) =>
  (await parseSuite(JSON.stringify({ suiteId: 's', missions }), 's.json', loadYaml, base)).missions

describe('missions from a file', () => {
  test('of CSV are mapped by columns and templates', async () => {
    write(
      'q.csv',
      '\uFEFFid,question,answer\r\nq1,"What, ""exactly""?\nReally",2\r\n\r\nq2,b,3\r\n',
    )
    const map = { missionId: 'id', prompt: 'Q: {{ question }}', score: { exact: 'answer' } }
    expect(await missionsOf({ from: 'q.csv', map })).toEqual([
      { missionId: 'q1', prompt: 'Q: What, "exactly"?\nReally', score: { exact: '2' } },
      { missionId: 'q2', prompt: 'Q: b', score: { exact: '3' } },
    ])
  })

  test('of CSV have numbers where the suite needs them, and paths and commands as they are', async () => {
    write('q.csv', 'q,n,limit\nHow many?,42.5,1000\n')
    const tolerance = { value: 'n', within: 0.5, path: '$.count' }
    const verify = [{ command: 'sh check.sh {{n}}', files: ['tests'] }]
    const map = { prompt: 'q', timeoutMs: 'limit', score: { tolerance }, verify }
    expect(await missionsOf({ from: 'q.csv', map })).toMatchObject([
      {
        prompt: 'How many?',
        timeoutMs: 1000,
        score: { tolerance: { value: 42.5, within: 0.5, path: '$.count' } },
        verify: [{ command: 'sh check.sh 42.5', files: ['tests'] }],
      },
    ])
    const wrong = { prompt: 'q', score: { tolerance: { value: 'q', within: 1 } } }
    await expect(missionsOf({ from: 'q.csv', map: wrong })).rejects.toThrow('tolerance')
  })

  test('of JSONL need no map if their keys have usual names, and keep their types', async () => {
    write('q.jsonl', '{"input":"x","target":3,"tags":["a"]}\n\n{"id":"B c","prompt":"y"}\n')
    expect(await missionsOf({ from: 'q.jsonl' })).toEqual([
      { missionId: 'row-001', prompt: 'x', score: { exact: 3 }, tags: ['a'] },
      { missionId: 'b-c', prompt: 'y' },
    ])
  })

  test('of JSONL may start with a byte order mark and state any key of a mission', async () => {
    const row = { id: 'a', prompt: 'p', timeoutMs: 5, isolation: 'namespace', network: 'none' }
    write('q.jsonl', `\uFEFF${JSON.stringify(row)}\r\n`)
    const { id, ...others } = row
    expect(await missionsOf({ from: 'q.jsonl' })).toEqual([{ missionId: id, ...others }])
  })

  test('have the id and the prompt of their usual columns if the map names none', async () => {
    write('q.csv', 'id,question,answer\na,b,c\n')
    const map = { score: { exact: 'answer' } }
    expect(await missionsOf({ from: 'q.csv', map })).toEqual([
      { missionId: 'a', prompt: 'b', score: { exact: 'c' } },
    ])
  })

  test('may be mapped to tags, limits of calls and expected claims', async () => {
    write('q.csv', 'id,prompt,most,claim\na,b,3,true\n')
    const trace = { maxToolCallsTotal: 'most', requireCommandPrefix: ['git'] }
    const result = { type: 'json', requiredJsonPointers: ['/title'] }
    const map = { tags: ['easy', 'id'], expects: { ok: 'claim', trace, result } }
    expect(await missionsOf({ from: 'q.csv', map })).toMatchObject([
      {
        tags: ['easy', 'a'],
        expects: { ok: true, trace: { ...trace, maxToolCallsTotal: 3 }, result },
      },
    ])
  })

  test('of YAML are a list, or the list under missions', async () => {
    write('one.yaml', '- {id: a, prompt: p}\n')
    write('two.yaml', 'missions:\n  - {id: a, prompt: p}\n')
    const expected = [{ missionId: 'a', prompt: 'p' }]
    expect(await missionsOf({ from: 'one.yaml' })).toEqual(expected)
    expect(await missionsOf({ from: 'two.yaml' })).toEqual(expected)
  })

  test.each([
    ['id,question,id\na,b,c\n', "two columns are called 'id'"],
    ['id;question\na;b\n', 'q.csv has none of the columns missionId, id, name, prompt,'],
  ])('of CSV with the columns %j are refused', async (text, message) => {
    write('q.csv', text)
    await expect(missionsOf({ from: 'q.csv' })).rejects.toThrow(message)
  })

  test('are refused if the file is larger than 256 MiB', async () => {
    write('q.csv', '')
    truncateSync(path.join(base, 'q.csv'), 2 ** 28 + 1)
    await expect(missionsOf({ from: 'q.csv' })).rejects.toThrow('q.csv: it is larger than 256 MiB')
  })

  test('of Harbor tasks have a prompt, a workspace, a verifier and an image', async () => {
    write(
      'tasks/Fix_It/task.toml',
      '[agent]\ntimeout_sec = 600\n[verifier]\ntimeout_sec = 30.5\n[environment]\ndocker_image = "img:1"\n',
    )
    write('tasks/Fix_It/instruction.md', 'Fix it.')
    write('tasks/Fix_It/environment/app.py', '')
    write('tasks/Fix_It/tests/test.sh', '')
    write('tasks/notes/readme.md', '')
    expect(await missionsOf({ from: 'tasks' })).toMatchObject([
      {
        missionId: 'fix-it',
        prompt: 'Fix it.',
        timeoutMs: 600_000,
        workspace: { path: 'tasks/Fix_It/environment' },
        verify: [{ files: { tests: 'tasks/Fix_It/tests' }, timeoutMs: 30_500 }],
        container: { image: 'img:1' },
      },
    ])
  })

  test.each<[object, string]>([
    [{ from: 'none.csv' }, 's.json: missions.from: none.csv does not exist'],
    [{ from: 'q.csv', map: { prompt: 'qestion' } }, 'no column qestion (did you mean question?)'],
    [{ from: 'q.csv', mapp: {} }, 's.json:1: unknown key missions.mapp (did you mean map?)'],
    [
      { from: 'q.csv', map: { promt: 'question' } },
      's.json:1: unknown key missions.map.promt (did you mean prompt?)',
    ],
    [{ from: 'empty', map: { prompt: 'x' } }, 'missions.map does not apply to Harbor tasks'],
    [{ from: 'bad.csv' }, 's.json: bad.csv: row 2 has 1 cells, not 2'],
    [{ from: 'bad.jsonl' }, 's.json: bad.jsonl: line 1 is not JSON'],
    [{ from: 'empty.csv' }, 's.json: missions.from: empty.csv has no row'],
    [{ from: 'empty' }, 's.json: missions.from: empty has no folder with a task.toml'],
  ])('%j are refused: %s', async (missions, message) => {
    write('q.csv', 'id,question\na,b\n')
    write('bad.csv', 'a,b\n1\n')
    write('bad.jsonl', '{')
    write('empty.csv', 'id\n')
    mkdirSync(path.join(base, 'empty'))
    await expect(missionsOf(missions)).rejects.toThrow(message)
  })
})

test('parseCsv refuses a quote in the wrong place', () => {
  expect(() => parseCsv('a,b\n1,"x"y\n')).toThrow('row 2 has a quote in the wrong place')
})
