import { expect, test } from 'vitest'
import { ExampleList } from './commits.ts'
import type { Example } from './commits.ts'
import { DocumentStore } from './document-store.ts'
import { questionOf } from './question.ts'
import { rankFiles } from './score.ts'
import type { Ranked } from './score.ts'
import { vectorOf } from './vector.ts'

const files = {
  'core/lock/lock.ts': 'export function breakStaleLock(owner) { return owner }',
  'core/lock/lock.test.ts': 'test the lock of a dead owner',
  'core/files/rename.ts': 'export function renameFile(from, to) { return lock }',
  'docs/lock.md': 'A stale lock is broken. The owner of a lock renews it.',
  'docs/other.md': 'Nothing of interest here.',
  'web/page.css': 'body { color: red }',
}

/** Path and score of the ranked files. */
function ranking(text: string, examples: Example[] = [], max = 10): Ranked[] {
  const store = new DocumentStore(1 << 20)
  store.startRequest()
  const documents = Object.entries(files).flatMap(
    ([path, content]) => store.document(path, '1', () => Buffer.from(content)) ?? [],
  )
  const list = new ExampleList(examples)
  return rankFiles({ question: questionOf(text), documents, examples: list, max }).ranked
}

function scoresOf(text: string, examples?: Example[], max?: number): Record<string, number> {
  return Object.fromEntries(
    ranking(text, examples, max).map(({ document, score }) => [
      document.path,
      Math.round(score * 10_000) / 10_000,
    ]),
  )
}

const example = (title: string, ...changed: string[]): Example => ({
  title: vectorOf([title]),
  body: vectorOf(['because of it']),
  files: changed,
})

const somewhere = Array.from({ length: 48 }, () => example('nothing', 'gone'))
const history = [
  example('lock: break a stale lock', 'core/lock/lock.ts', 'core/files/rename.ts'),
  example('rename files', 'core/files/rename.ts', 'core/lock/lock.ts'),
  ...somewhere,
]

test.each([
  [
    'stale lock',
    {
      'core/lock/lock.ts': 2.2545,
      'docs/lock.md': 1.989,
      'core/lock/lock.test.ts': 1.1466,
      'core/files/rename.ts': 0.2537,
    },
  ],
  [
    'lock: break the file',
    {
      'core/lock/lock.ts': 2.5209,
      'docs/lock.md': 1.5016,
      'core/files/rename.ts': 1.4424,
      'core/lock/lock.test.ts': 1.3109,
    },
  ],
  [
    'breakStaleLock and renameFile',
    {
      'core/files/rename.ts': 2.4136,
      'core/lock/lock.ts': 1.8638,
      'docs/lock.md': 0.7291,
      'core/lock/lock.test.ts': 0.612,
    },
  ],
  [
    'see docs/lock.md',
    {
      'docs/lock.md': 2.729,
      'core/lock/lock.ts': 1.8894,
      'core/lock/lock.test.ts': 1.6285,
      'core/files/rename.ts': 0.6784,
      'docs/other.md': 0.3,
    },
  ],
  ['see other.md', { 'docs/other.md': 1.14 }],
  ['see the page', { 'web/page.css': 0.78 }],
  [
    'all of core/lock is slow',
    {
      'core/lock/lock.ts': 2.2226,
      'core/lock/lock.test.ts': 1.9624,
      'docs/lock.md': 1.706,
      'core/files/rename.ts': 0.7991,
    },
  ],
  [
    'all of files/rename.ts and lock/x',
    {
      'core/files/rename.ts': 2.05,
      'core/lock/lock.ts': 0.6723,
      'core/lock/lock.test.ts': 0.5295,
      'docs/lock.md': 0.4463,
    },
  ],
])('without a history, the scores for %j are pinned', (text, scores) => {
  expect(scoresOf(text)).toEqual(scores)
})

test.each([
  [
    'stale lock',
    {
      'core/lock/lock.ts': 5.1816,
      'core/files/rename.ts': 3.6387,
      'docs/lock.md': 2.504,
      'core/lock/lock.test.ts': 1.7883,
    },
  ],
  [
    'lock: break the file',
    {
      'core/lock/lock.ts': 5.9926,
      'core/files/rename.ts': 5.1334,
      'docs/lock.md': 2.1,
      'core/lock/lock.test.ts': 2.0278,
    },
  ],
  [
    'breakStaleLock and renameFile',
    {
      'core/files/rename.ts': 6.5909,
      'core/lock/lock.ts': 6.0565,
      'docs/lock.md': 1.1124,
      'core/lock/lock.test.ts': 1.0915,
    },
  ],
  ['page', { 'web/page.css': 1.03 }],
])('with a history of 50 commits, the scores for %j are pinned', (text, scores) => {
  expect(scoresOf(text, history)).toEqual(scores)
})

test('beyond 100 commits, the share of the history does not grow', () => {
  expect(scoresOf('stale lock', [...history, ...somewhere, ...somewhere.slice(0, 2)])).toEqual({
    'core/lock/lock.ts': 5.612,
    'core/files/rename.ts': 3.7512,
    'docs/lock.md': 2.799,
    'core/lock/lock.test.ts': 2.2101,
  })
  expect(scoresOf('stale lock', [...history, ...somewhere, ...somewhere])).toEqual({
    'core/lock/lock.ts': 5.612,
    'core/files/rename.ts': 3.7512,
    'docs/lock.md': 2.799,
    'core/lock/lock.test.ts': 2.2101,
  })
})

test('a ranked file tells why', () => {
  const [first, second] = ranking('stale owner of a lock\n\nrename', history, 2)
  const why = (ranked?: Ranked): object => ({
    ...ranked,
    document: ranked?.document.path,
    score: 0,
    partner: { ...ranked?.partner, gain: Number(ranked?.partner?.gain.toFixed(4)) },
  })
  expect(why(first)).toEqual({
    document: 'core/lock/lock.ts',
    score: 0,
    terms: ['stal', 'owner', 'lock'],
    pathTerms: ['lock'],
    symbolTerms: ['stal', 'lock'],
    isMentioned: true,
    commits: 1,
    hasMessages: true,
    partner: { path: 'core/files/rename.ts', kind: 'changes with', gain: 0.7055 },
  })
  expect(why(second)).toEqual({
    document: 'core/files/rename.ts',
    score: 0,
    terms: ['lock', 'renam'],
    pathTerms: ['renam'],
    symbolTerms: ['renam'],
    isMentioned: true,
    commits: 1,
    hasMessages: true,
    partner: { path: 'core/lock/lock.ts', kind: 'changes with', gain: 1.2206 },
  })
})
