// `zcl hooks` and its subcommands.
import { commandFor } from '@zee/core/command-line'

const command = commandFor({})

const agent = {
  flags: '--for <agent>',
  summary: 'the agent',
  choices: ['claude', 'codex', 'opencode', 'gemini'],
  required: true,
} as const

const options = {
  for: agent,
  user: { flags: '--user', summary: 'in the home folder instead of the project' },
  json: {
    flags: '--json',
    summary: 'print the change as JSON (path, before, after) instead of writing it',
  },
  given: {
    flags: '--given',
    summary: 'with --json: plan on top of the changes on standard input',
    hidden: true,
  },
} as const

export const hooks = command({
  name: 'hooks',
  summary: 'Let a coding agent record its own tool calls',
  description:
    'The hooks record a call of a tool only while the environment names an attempt. They change nothing else.',
  commands: [
    command({
      name: 'install',
      summary: "Add the hooks to the agent's settings",
      options,
      examples: [
        { line: 'zcl hooks install --for claude', note: 'for Claude Code, in this project' },
      ],
      run: async ({ options: given, host }) =>
        (await import('../hooks/command.ts')).changeHooks('install', given, host),
    }),
    command({
      name: 'uninstall',
      summary: 'Take the hooks out again; the other bytes of the settings stay',
      options,
      run: async ({ options: given, host }) =>
        (await import('../hooks/command.ts')).changeHooks('uninstall', given, host),
    }),
    command({
      name: 'record',
      summary: 'Record the tool call on standard input; the hooks call it',
      options: { for: agent },
      run: async ({ options: given, host }) =>
        (await import('../hooks/command.ts')).recordHook(given.for, host),
    }),
  ],
})
