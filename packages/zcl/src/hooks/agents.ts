// Where each agent looks for hooks, and what makes it call `zcl hooks record` after a tool. Adding an agent is
// one row.
import type { Insertion } from '@zee/core/settings'

export interface HookRow {
  name: string
  /** The file below the project, and below the home folder if it differs. */
  file: string
  homeFile?: string
  /** What is inserted into a JSON file, or the whole text of a file that zcl owns. */
  content: { insertions: readonly Insertion[] } | { text: string }
  /** What the user has to do so that the agent runs the hooks. */
  note?: string
}

/** The shell tests the variable first: outside an attempt, a call of a tool starts no process of zcl. */
const commandFor = (agent: string) => `test -z "$ZCL_OUT_DIR" || zcl hooks record --for ${agent}`

function afterTool(agent: string, event: string, timeout: number, matcher?: string): Insertion {
  const value = { matcher, hooks: [{ type: 'command', command: commandFor(agent), timeout }] }
  return { keys: ['hooks', event], value: JSON.parse(JSON.stringify(value)) }
}

const openCodePlugin = `// Made by zcl hooks install: inside an attempt of zcl, records every call of a tool.
import { spawn } from 'node:child_process'

const started = new Map()

export const ZclHooks = async () => {
  if (!process.env.ZCL_OUT_DIR) return {}
  return {
    'tool.execute.before': async ({ callID }) => void started.set(callID, Date.now()),
    'tool.execute.after': ({ tool, callID, args }, { output, metadata } = {}) =>
      new Promise((resolve) => {
        const duration_ms = Date.now() - (started.get(callID) ?? Date.now())
        started.delete(callID)
        const exit_code = metadata?.exit
        const call = { tool_name: tool, tool_input: args, tool_response: output, duration_ms, exit_code }
        const zcl = spawn('zcl', ['hooks', 'record', '--for', 'opencode'], {
          stdio: ['pipe', 'ignore', 'ignore'],
        })
        zcl.on('error', resolve)
        zcl.on('close', resolve)
        zcl.stdin.on('error', () => {})
        zcl.stdin.end(JSON.stringify(call))
      }),
  }
}
`

export const hookRows: readonly HookRow[] = [
  {
    name: 'claude',
    file: '.claude/settings.json',
    content: {
      insertions: [
        afterTool('claude', 'PostToolUse', 10, '*'),
        afterTool('claude', 'PostToolUseFailure', 10, '*'),
      ],
    },
  },
  {
    name: 'codex',
    file: '.codex/hooks.json',
    content: { insertions: [afterTool('codex', 'PostToolUse', 10)] },
    note: 'Codex asks once whether it may run these hooks (/hooks shows them).',
  },
  {
    name: 'gemini',
    file: '.gemini/settings.json',
    content: {
      insertions: [{ ...afterTool('gemini', 'AfterTool', 10_000, '*'), allowsComments: true }],
    },
  },
  {
    name: 'opencode',
    file: '.opencode/plugins/zcl.js',
    homeFile: '.config/opencode/plugins/zcl.js',
    content: { text: openCodePlugin },
  },
]
