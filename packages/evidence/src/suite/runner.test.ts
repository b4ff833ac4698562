import { describe, expect, it } from 'vitest'
import { isNative, runnerProblem, type SuiteRunner } from './runner.ts'

const needsOne = 'runner needs either preset or command'

describe('runnerProblem', () => {
  it.each<[SuiteRunner, string | undefined]>([
    [{}, needsOne],
    [{ preset: 'zdx' }, undefined],
    [{ command: ['a'] }, undefined],
    [{ preset: 'zdx', command: ['a'] }, needsOne],
    [{ type: 'process_cmd' }, needsOne],
    [{ type: 'process_cmd', command: ['a'] }, undefined],
    [{ type: 'process_cmd', preset: 'zdx' }, undefined],
    [{ type: 'codex_app_server' }, undefined],
    [{ preset: 'codex_app_server' }, undefined],
    [{ type: 'codex_app_server', preset: 'codex_app_server' }, undefined],
    [{ type: 'codex_app_server', command: ['a'] }, needsOne],
    [
      { type: 'codex_app_server', preset: 'zdx' },
      'runner.type codex_app_server contradicts preset: zdx',
    ],
    [
      { type: 'process_cmd', preset: 'codex_app_server' },
      'runner.type process_cmd contradicts preset: codex_app_server',
    ],
    [{ preset: 'codex_app_server', model: 'm', minStartIntervalMs: 1 }, undefined],
    [{ preset: 'zdx', model: 'm' }, 'runner.model needs preset: codex_app_server'],
    [{ command: ['a'], sandbox: 'read-only' }, 'runner.sandbox needs preset: codex_app_server'],
  ])('of %j is %s', (runner, problem) => {
    expect(runnerProblem(runner)).toBe(problem)
  })
})

it.each<[SuiteRunner, boolean]>([
  [{ type: 'codex_app_server' }, true],
  [{ preset: 'codex_app_server' }, true],
  [{ type: 'process_cmd', preset: 'zdx' }, false],
  [{}, false],
])('isNative of %j is %s', (runner, isIt) => {
  expect(isNative(runner)).toBe(isIt)
})
