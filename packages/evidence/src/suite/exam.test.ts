import { describe, expect, it } from 'vitest'
import { examProblem, mergeExam, pathExpectations, type Exam } from './exam.ts'

describe('examProblem', () => {
  it.each<[Exam, string | undefined]>([
    [{}, undefined],
    [{ workspace: {} }, undefined],
    [{ workspace: { path: 'a' } }, undefined],
    [{ workspace: { git: 'a', rev: 'b' } }, undefined],
    [{ workspace: { path: 'a', git: 'b' } }, 'workspace takes one of path, git and archive'],
    [{ workspace: { git: 'a', archive: 'b' } }, 'workspace takes one of path, git and archive'],
    [{ workspace: { rev: 'b' } }, 'workspace.rev needs git'],
    [{ network: 'host' }, undefined],
    [{ network: 'none' }, 'network: none needs isolation: namespace or container'],
    [
      { network: 'loopback', isolation: 'none' },
      'network: loopback needs isolation: namespace or container',
    ],
    [{ network: 'none', isolation: 'namespace' }, undefined],
    [{ isolation: 'container' }, 'isolation: container needs container: {image}'],
    [{ isolation: 'container', container: { image: 'i' } }, undefined],
    [
      { network: 'funnel-only', isolation: 'namespace' },
      'network: funnel-only needs funnels: [{upstream, env}]',
    ],
    [
      { score: {} },
      'score needs one of exact, contains, regex, jsonPath, tolerance, fileHash, command',
    ],
    [{ score: { exact: null } }, undefined],
    [{ score: { regex: '[' } }, 'score.regex is not a regular expression'],
    [{ score: { regex: 'a' } }, undefined],
    [{ score: { jsonPath: 'a b' } }, "score: 'a b' is not a JSON path such as $.a[0]"],
    [{ score: { jsonPath: '$.a' } }, undefined],
    [
      { score: { tolerance: { value: 1, path: '$[' } } },
      "score: '$[' is not a JSON path such as $.a[0]",
    ],
    [{ score: { tolerance: { value: 1, path: '$.a' } } }, undefined],
    [{ score: { tolerance: { value: 1 } } }, undefined],
  ])('of %j is %s', (exam, problem) => {
    expect(examProblem(exam)).toBe(problem)
  })

  const http = 'funnels: A needs the address of a service for http as its upstream'
  const mcp = 'funnels: A needs the address of a service for mcp as its upstream'
  it.each<[string, 'http' | 'mcp' | undefined, string | undefined]>([
    ['http://a', undefined, undefined],
    ['HTTPS://a', 'http', undefined],
    ['http://', 'http', http],
    ['tcp://a:1', undefined, http],
    ['http://[', undefined, http],
    ['tcp://a:1', 'mcp', undefined],
    ['WS://a', 'mcp', undefined],
    ['wss://a', 'mcp', undefined],
    ['https://a', 'mcp', undefined],
    ['ftp://a', 'mcp', mcp],
    ['a', 'mcp', mcp],
  ])('of a funnel to %s for %s is %s', (upstream, protocol, problem) => {
    expect(examProblem({ funnels: [{ upstream, env: 'A', protocol }] })).toBe(problem)
  })

  it.each([
    ['PATH', 'funnels: PATH is a variable of the attempt itself'],
    ['HOME', 'funnels: HOME is a variable of the attempt itself'],
    ['ZCL_X', 'funnels: ZCL_X is a variable of the attempt itself'],
    ['HOMES', undefined],
    ['MY_ZCL_X', undefined],
  ])('of a funnel with the variable %s is %s', (env, problem) => {
    expect(examProblem({ funnels: [{ upstream: 'http://a', env }] })).toBe(problem)
  })

  it.each([
    ['none', 'funnels cannot be reached with network: none; use funnel-only'],
    ['loopback', 'funnels cannot be reached with network: loopback; use funnel-only'],
    ['host', undefined],
    ['funnel-only', undefined],
  ] as const)('of funnels with the network %s is %s', (network, problem) => {
    const funnels = [{ upstream: 'http://a', env: 'A' }]
    expect(examProblem({ isolation: 'namespace', network, funnels })).toBe(problem)
  })
})

describe('mergeExam', () => {
  it('takes each key of the mission, else of the suite, else of its defaults', () => {
    const suite = {
      isolation: 'container',
      network: 'none',
      defaults: { network: 'host', isolation: 'none', expose: ['a'] },
    } as const
    const exam = mergeExam(
      { ...suite, defaults: { ...suite.defaults, expose: ['a'] } },
      { isolation: 'namespace' },
    )
    expect(exam).toEqual({ isolation: 'namespace', network: 'none', expose: ['a'] })
    expect(mergeExam({}, undefined)).toEqual({})
  })

  it.each<[Exam['workspace'], Exam['workspace'], Exam['workspace'], Exam['workspace']]>([
    [undefined, undefined, { path: 'd' }, { path: 'd' }],
    [undefined, { path: 's' }, { path: 'd' }, { path: 's' }],
    [{ path: 'm' }, { path: 's', retain: 'always' }, undefined, { path: 'm', retain: 'always' }],
    [
      { git: 'm' },
      { path: 's', maxBytes: 1 },
      { maxBytes: 2, retain: 'never' },
      { git: 'm', maxBytes: 1, retain: 'never' },
    ],
    [{ archive: 'm', maxBytes: 3 }, { maxBytes: 1 }, undefined, { archive: 'm', maxBytes: 3 }],
    [
      { retain: 'never' },
      { path: 's', retain: 'always' },
      undefined,
      { path: 's', retain: 'never' },
    ],
    [
      { maxBytes: 5 },
      { git: 's', rev: 'r' },
      { path: 'd' },
      { path: 'd', git: 's', rev: 'r', maxBytes: 5 },
    ],
    [{}, { path: 's', retain: 'always' }, undefined, { retain: 'always' }],
  ])('of the workspaces %j, %j and %j is %j', (mission, suite, defaults, merged) => {
    const holder = { workspace: suite, defaults: { workspace: defaults } }
    expect(mergeExam(holder, { workspace: mission })).toEqual({ workspace: merged })
  })
})

it.each<[Parameters<typeof pathExpectations>[0], unknown]>([
  ['$.a', [{ path: '$.a' }]],
  [[{ path: '$.a', equals: 1 }], [{ path: '$.a', equals: 1 }]],
  [{ path: '$.a', equals: 1 }, [{ path: '$.a', equals: 1 }]],
  [
    { '$.a': 1, path2: null },
    [
      { path: '$.a', equals: 1 },
      { path: 'path2', equals: null },
    ],
  ],
])('pathExpectations of %j is %j', (expected, list) => {
  expect(pathExpectations(expected)).toEqual(list)
})
