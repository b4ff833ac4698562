// The options that every zdx command accepts.
import type { OptionTable, OptionValues } from '@zee/core/command-line'
import { wholeNumber } from '@zee/core/command-line'
import { usageError } from '@zee/core/errors'

function dollars(text: string): number {
  if (/^\d{1,9}(\.\d{1,9})?$|^\.\d{1,9}$/.test(text)) return Number(text)
  throw usageError(`'${text}' is not an amount such as 0.50`)
}

export const globals = {
  root: {
    flags: '--root <dir>',
    summary: 'working folder of the agent and its tools',
    default: '.',
    complete: 'folder',
  },
  systemPrompt: {
    flags: '--system-prompt <text>',
    summary: 'system prompt that replaces the configured one; an empty text means none',
  },
  session: {
    flags: '--session <id>',
    summary: 'continue the session with this id or unique prefix, or start it',
  },
  continue: { flags: '-c, --continue', summary: 'continue the latest session of this project' },
  all: { flags: '--all', summary: 'use the sessions of every project' },
  noSave: { flags: '--no-save', summary: 'do not save the session' },
  provider: {
    flags: '--provider <name>',
    summary: 'model provider: anthropic, openai, gemini, openrouter, ollama, script, ...',
  },
  model: {
    flags: '--model <name>',
    summary: 'model name or provider:model; for the script provider, the screenplay file',
  },
  maxTokens: {
    flags: '--max-tokens <n>',
    summary: 'maximum length of an answer in tokens',
    parse: wholeNumber(1),
  },
  maxUsd: {
    flags: '--max-usd <amount>',
    summary: 'stop before a request with which this run would cost more US dollars',
    parse: dollars,
  },
  thinking: {
    flags: '--thinking <level>',
    summary: 'how much the model thinks before it answers',
    choices: ['off', 'low', 'medium', 'high'],
  },
  tools: {
    flags: '--tools <names>',
    summary: 'tools offered to the model, for example bash,edit,read,write,search,mcp:<server>',
    parse: (text: string) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
  },
  format: {
    flags: '--format <format>',
    summary: 'output format on stdout',
    choices: ['text', 'json'],
    default: 'text',
  },
  quiet: { flags: '-q, --quiet', summary: 'print only the answer and errors' },
  verbose: { flags: '--verbose', summary: 'also print inputs and results of tools, redacted' },
} as const satisfies OptionTable

export type Globals = OptionValues<typeof globals>

/** For commands without JSON output: `--format json` is an error, never ignored. */
export function rejectJson(command: string, { globals }: { globals: Globals }): undefined {
  if (globals.format === 'json') throw usageError(`${command} has no JSON output`)
}
