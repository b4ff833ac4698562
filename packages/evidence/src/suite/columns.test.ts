import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { datasetMissions } from './dataset.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'zcl-columns-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

async function missionsOf(file: string, content: unknown, map?: unknown): Promise<unknown> {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(path.join(base, file), text)
  return loaded({ from: file, ...(map === undefined ? {} : { map }) })
}

function loaded(missions: Record<string, unknown>): Promise<unknown> {
  const loadYaml = async () => (text: string) => ({
    value: parse(text) as unknown,
    lineOf: () => undefined,
  })
  return datasetMissions(missions, { baseFolder: base, name: 's.yaml', loadYaml })
}

const literals = [
  ...['path', 'git', 'rev', 'archive', 'retain', 'command', 'files', 'provider', 'model', 'rubric'],
  ...['regex', 'isolation', 'network', 'type', 'pattern', 'image', 'engine', 'tags', 'jsonPath'],
  ...['requireCommandPrefix', 'requireToolOps', 'requireMCPTool', 'hookCommand', 'expose'],
  ...['requiredJsonPointers', 'nonEmptyJsonPointers', 'placeholderValues'],
  ...['boilerplateMcpTools', 'boilerplateCommandPrefixes', 'upstream', 'env', 'protocol'],
]
const numbers = [
  ...['value', 'within', 'relative', 'timeoutMs', 'votes', 'maxBytes', 'hookTimeoutMs'],
  ...['maxToolCallsTotal', 'maxFailuresTotal', 'maxTimeoutsTotal', 'maxRepeatStreak'],
  ...['minMeaningfulFields', 'maxMeaningfulFieldsForBoilerplate'],
]

describe('the map of a dataset', () => {
  it.each(literals)('takes a text of %s as it is if it is no column', async (key) => {
    const map = { any: { [key]: 'word' }, list: { [key]: ['word', 'a'] } }
    expect(await missionsOf('d.csv', 'id,prompt,a\nm,p,1\n', map)).toEqual([
      { missionId: 'm', prompt: 'p', any: { [key]: 'word' }, list: { [key]: ['word', '1'] } },
    ])
  })

  it.each(numbers)('makes %s a number', async (key) => {
    expect(await missionsOf('d.csv', 'id,prompt,a\nm,p, 1.5\n', { [key]: 'a' })).toEqual([
      { missionId: 'm', prompt: 'p', [key]: 1.5 },
    ])
  })

  it.each([
    ['ok', 'true', true],
    ['ok', ' False ', false],
    ['ok', 'yes', 'yes'],
    ['suspiciousBoilerplate', 'TRUE', true],
    ['other', 'true', 'true'],
    ['votes', ' ', ' '],
    ['votes', '1e3', 1000],
    ['votes', 'Infinity', 'Infinity'],
    ['votes', 'x', 'x'],
    ['other', '5', '5'],
  ])('makes %s of the cell %j %j', async (key, cell, value) => {
    expect(await missionsOf('d.csv', `id,prompt,a\nm,p,${cell}\n`, { [key]: 'a' })).toEqual([
      { missionId: 'm', prompt: 'p', [key]: value },
    ])
  })

  it('keeps values that are no texts, and fills templates with texts and JSON', async () => {
    const rows = [{ id: 7, prompt: { a: 1 }, b: [1], c: null, yes: true }]
    const map = { n: 5, no: null, t: '{{b}}/{{ c }}/{{yes}}', ok: 'yes', votes: 'b' }
    expect(await missionsOf('d.yaml', rows, map)).toEqual([
      { missionId: '7', prompt: '{"a":1}', n: 5, no: null, t: '[1]/""/true', ok: true, votes: [1] },
    ])
  })

  it.each([
    [{ a: 'elsewhere' }, 's.yaml: missions.map: there is no column elsewhere (did you mean id?)'],
    [{ a: 'promt' }, 's.yaml: missions.map: there is no column promt (did you mean prompt?)'],
    [{ a: '{{idd}}' }, 's.yaml: missions.map: there is no column idd (did you mean id?)'],
    ['x', 's.yaml: missions.map must be an object'],
    [[], 's.yaml: missions.map must be an object'],
  ])('%j is refused: %s', async (map, message) => {
    const made = missionsOf('d.csv', 'id,prompt\nm,p\n', map)
    await expect(made).rejects.toMatchObject({ code: 'ZCL_E_CONTRACT', message })
  })
})

describe('rows without a map', () => {
  it.each([
    [{ missionId: 'a', id: 'b' }, { missionId: 'a' }],
    [{ id: 'b', name: 'c' }, { missionId: 'b' }],
    [{ name: 'c' }, { missionId: 'c' }],
    [
      { prompt: 'p', question: 'q' },
      { missionId: 'row-001', prompt: 'p' },
    ],
    [
      { question: 'q', input: 'i' },
      { missionId: 'row-001', prompt: 'q' },
    ],
    [
      { input: 'i', instruction: 'x' },
      { missionId: 'row-001', prompt: 'i' },
    ],
    [
      { instruction: 'x', y: 1 },
      { missionId: 'row-001', prompt: 'x' },
    ],
    [
      { id: 'a', answer: 1, expected: 2 },
      { missionId: 'a', score: { exact: 1 } },
    ],
    [
      { id: 'a', expected: 2, target: 3 },
      { missionId: 'a', score: { exact: 2 } },
    ],
    [
      { id: 'a', target: 3, ideal: 4 },
      { missionId: 'a', score: { exact: 3 } },
    ],
    [
      { id: 'a', ideal: 4 },
      { missionId: 'a', score: { exact: 4 } },
    ],
    [
      { id: 'a', timeoutMs: '5', isolation: 'x', network: 'y' },
      { missionId: 'a', timeoutMs: 5, isolation: 'x', network: 'y' },
    ],
    [{ id: 'a', timeoutMs: '', isolation: '', network: '' }, { missionId: 'a' }],
    [{ id: 'a', expects: 'x', workspace: 1, verify: null, judge: 'y' }, { missionId: 'a' }],
    [
      {
        id: 'a',
        expects: { a: 1 },
        tags: ['t'],
        workspace: {},
        verify: [],
        judge: {},
        container: {},
      },
      {
        missionId: 'a',
        expects: { a: 1 },
        tags: ['t'],
        workspace: {},
        verify: [],
        judge: {},
        container: {},
      },
    ],
    [
      { id: 'a', answer: 'x', score: { regex: 'r' } },
      { missionId: 'a', score: { regex: 'r' } },
    ],
  ])('%j are missions', async (row, mission) => {
    expect(await missionsOf('d.yaml', [row])).toEqual([mission])
  })

  it('are numbered if they have no id', async () => {
    const rows = Array.from({ length: 2 }, () => ({ prompt: 'p' }))
    expect(await missionsOf('d.yaml', rows)).toEqual([
      { missionId: 'row-001', prompt: 'p' },
      { missionId: 'row-002', prompt: 'p' },
    ])
  })
})

it('a map does not take names for ids', async () => {
  expect(await missionsOf('d.csv', 'name,prompt,id\nn,p,\n', { missionId: 'name' })).toEqual([
    { missionId: 'n', prompt: 'p' },
  ])
  expect(await missionsOf('d.csv', 'name,prompt\nn,p\n', {})).toEqual([
    { missionId: 'row-001', prompt: 'p' },
  ])
})

const nameless =
  'has none of the columns missionId, id, name, prompt, question, input, instruction; name its columns with missions.map'

describe('datasetMissions', () => {
  it.each<[string, string, string]>([
    ['d.csv', 'a\n1\n', `missions.from: d.csv ${nameless}`],
    ['d.csv', 'id\n', 'missions.from: d.csv has no row'],
    ['D.CSV', 'id,b\n1\n', 'D.CSV: row 2 has 1 cells, not 2'],
    ['d.jsonl', '{"id":1}\nx\n', 'd.jsonl: line 2 is not JSON: a character is out of place'],
    ['d.ndjson', '\n', 'missions.from: d.ndjson has no row'],
    ['d.yaml', 'missions: 5', 'd.yaml is not a list of objects'],
    ['d.yaml', '[1]', 'd.yaml is not a list of objects'],
    ['d.jsonl', '[]', 'd.jsonl is not a list of objects'],
  ])('refuses %s with %j: %s', async (file, text, message) => {
    const made = missionsOf(file, text)
    await expect(made).rejects.toMatchObject({
      code: 'ZCL_E_CONTRACT',
      message: `s.yaml: ${message}`,
    })
  })

  it.each([
    [{ from: 5 }, 'missions.from must be a file or a folder'],
    [{ from: 'nothing' }, 'missions.from: nothing does not exist'],
    [{ from: 'folder' }, 'missions.from: folder has no folder with a task.toml'],
    [{ from: 'folder', map: {} }, 'missions.map does not apply to Harbor tasks'],
  ])('refuses %j: %s', async (missions, message) => {
    mkdirSync(path.join(base, 'folder'))
    await expect(loaded(missions)).rejects.toMatchObject({ message: `s.yaml: ${message}` })
  })

  it.each(['d.CSV', 'd.csv'])('reads %s as CSV', async (file) => {
    expect(await missionsOf(file, '\uFEFFid\nm\n')).toEqual([{ missionId: 'm' }])
  })

  it.each(['d.jsonl', 'd.NDJSON'])('reads %s as JSON lines', async (file) => {
    expect(await missionsOf(file, '\uFEFF{"id":"m"}\n \n')).toEqual([{ missionId: 'm' }])
  })
})
