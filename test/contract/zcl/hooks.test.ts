// `zcl hooks`: an agent's hooks record its tool calls inside an attempt, and nothing outside of one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Project, type StartedAttempt } from './project.ts'

const project = new Project()
let attempt: StartedAttempt
beforeAll(async () => {
  attempt = await project.start()
})
afterAll(() => project.remove())

const record = (
  agent: string,
  payload: object,
  env: Record<string, string | undefined> = attempt.env,
) => project.zcl(['hooks', 'record', '--for', agent], { env, input: JSON.stringify(payload) })

test.each([
  [
    'claude',
    {
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_response: { stdout: 'a', stderr: 'b' },
      duration_ms: 7,
    },
    {
      op: 'Bash',
      input: { command: 'ls' },
      result: { ok: true, durationMs: 7 },
      io: { outPreview: 'a', errPreview: 'b' },
    },
  ],
  [
    'claude',
    {
      hook_event_name: 'PostToolUseFailure',
      tool_name: 'Read',
      tool_input: {},
      error: 'no such file',
    },
    {
      op: 'Read',
      result: { ok: false, code: 'ZCL_E_TOOL_FAILED' },
      io: { errPreview: 'no such file' },
    },
  ],
  [
    'gemini',
    {
      tool_name: 'glob',
      tool_input: {},
      tool_response: { llmContent: 'x', error: { message: 'denied' } },
    },
    { op: 'glob', result: { ok: false }, io: { outPreview: 'x' } },
  ],
  [
    'opencode',
    { tool_name: 'bash', tool_input: {}, tool_response: 'out', exit_code: 2 },
    { op: 'bash', result: { ok: false, exitCode: 2 }, io: { outPreview: 'out' } },
  ],
])('a tool call of %s becomes an event', async (agent, payload, event) => {
  expect(await record(agent, payload)).toMatchObject({ code: 0, out: '', err: '' })
  expect(attempt.last()).toMatchObject({ tool: agent, ...event })
})

test('nothing is recorded outside an attempt or with ZCL_HOOKS=off, and other input is refused', async () => {
  const call = { tool_name: 'Bash', tool_input: {} }
  await record('claude', call)
  const before = attempt.trace().length
  expect(await record('claude', call, { ZCL_OUT_DIR: undefined })).toMatchObject({
    code: 0,
    err: '',
  })
  expect((await record('claude', call, { ...attempt.env, ZCL_HOOKS: 'off' })).code).toBe(0)
  expect(attempt.trace()).toHaveLength(before)
  expect((await record('claude', {})).err).toContain('no hook event with a tool_name')
})
