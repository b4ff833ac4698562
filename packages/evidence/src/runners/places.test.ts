import { expect, it } from 'vitest'
import { logPlaces } from './runners.ts'
import { opencodeDatabase } from './opencode.ts'

const all = {
  HOME: '/h',
  CODEX_HOME: '/codex',
  CLAUDE_CONFIG_DIR: '/claude',
  ZDX_HOME: '/zdx',
  XDG_CONFIG_HOME: '/config',
  GEMINI_CLI_HOME: '/gemini',
  PI_CODING_AGENT_DIR: '/pi',
}

it.each([
  ['codex', all, '/codex/sessions'],
  ['codex', { HOME: '/h' }, '/h/.codex/sessions'],
  ['claude', all, '/claude/projects'],
  ['claude', { HOME: '/h' }, '/h/.claude/projects'],
  ['zdx', all, '/zdx/sessions'],
  ['zdx', { HOME: '/h', XDG_CONFIG_HOME: '/config' }, '/config/zdx/sessions'],
  ['zdx', { HOME: '/h' }, '/h/.config/zdx/sessions'],
  ['gemini', all, '/gemini/.gemini/tmp'],
  ['gemini', { HOME: '/h' }, '/h/.gemini/tmp'],
  ['pi', all, '/pi/sessions'],
  ['pi', { HOME: '/h' }, '/h/.pi/agent/sessions'],
  ['qwen', all, '/h/.qwen/projects'],
  ['copilot', all, '/h/.copilot/session-state'],
] as const)('the logs of %s with %j are in %s', (runner, env, root) => {
  expect(logPlaces(runner).roots(env)).toEqual([root])
})

it.each(['codex', 'claude', 'zdx', 'gemini', 'pi', 'qwen', 'copilot'] as const)(
  'the logs of %s are nowhere without a HOME',
  (runner) => {
    expect(logPlaces(runner).roots({ HOME: '' })).toEqual([])
  },
)

it.each([
  ['codex', 'rollout-a.jsonl', true],
  ['codex', 'rollout-a.jsonl.zst', true],
  ['codex', 'rollout-a.json', false],
  ['codex', 'a-rollout-b.jsonl', false],
  ['claude', 'a.jsonl', true],
  ['claude', 'a.json', false],
  ['zdx', 'a.jsonl', true],
  ['zdx', 'a.jsonl.lock', false],
  ['gemini', 'session-a.jsonl', true],
  ['gemini', 'a.jsonl', false],
  ['gemini', 'session-a.json', false],
  ['pi', 'a.jsonl', true],
  ['pi', 'a.txt', false],
  ['qwen', 'a.jsonl', true],
  ['qwen', 'a.txt', false],
  ['copilot', 'events.jsonl', true],
  ['copilot', 'other.jsonl', false],
] as const)('a file of %s named %s is a log: %s', (runner, name, expected) => {
  expect(logPlaces(runner).isLog(name)).toBe(expected)
})

it('the database of opencode is in the data folder of the user', () => {
  expect(opencodeDatabase({ XDG_DATA_HOME: '/d', HOME: '/h' })).toBe('/d/opencode/opencode.db')
  expect(opencodeDatabase({ HOME: '/h' })).toBe('/h/.local/share/opencode/opencode.db')
  expect(opencodeDatabase({})).toBeUndefined()
})
