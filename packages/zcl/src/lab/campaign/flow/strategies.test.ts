import { expect, test } from 'vitest'
import type { FlowSpec } from '../campaign.ts'
import { flowCommand } from './strategies.ts'

const launcher = { node: '/node', script: '/zcl' }
const command = (runner: FlowSpec['runner'], env: Record<string, string> = {}) =>
  flowCommand({ flowId: 'f', runner }, { folder: '/spec', launcher, env: { PATH: '/bin', ...env } })

test('the first strategy of the chain that this machine can run is used, and the others are named', () => {
  const chain = ['provider_stub', 'codex_app_server', 'claude', 'process_cmd']
  const found = command({ type: 'process_cmd', command: ['sh', 'x'], runtimeStrategies: chain })
  expect(found).toEqual({
    command: ['sh', 'x'],
    skipped: [
      'provider_stub: not supported',
      'codex_app_server: codex is not found',
      'claude: claude is not found',
    ],
  })
  const env = { ZCL_CODEX_APP_SERVER_CMD: '/bin/sh server' }
  expect(command({ runtimeStrategies: chain }, env).command).toEqual([
    ...['/node', '/zcl', 'codex-app-server'],
  ])
})

test('a chain without an available strategy is a typed failure', () => {
  expect(() => command({ runtimeStrategies: ['provider_stub', 'process_cmd'] })).toThrow(
    'f: no runtime strategy is available (provider_stub: not supported; process_cmd: the runner has no command)',
  )
})

test('without a chain the type of the runner decides', () => {
  expect(command({ command: ['./a'] }).command).toEqual(['/spec/a'])
  expect(command({ preset: 'claude' }).command.slice(0, 2)).toEqual(['sh', '-c'])
  const native = { type: 'codex_app_server', modelReasoningEffort: 'high' } as const
  expect(command({ ...native, modelReasoningPolicy: 'required' }).command.slice(3)).toEqual([
    ...['--effort', 'high', '--effort-policy', 'required'],
  ])
  expect(() => command({})).toThrow('f has no command')
})
