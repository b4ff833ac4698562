// Commands of zino and zee in the sweep that run without services.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { SweptCommand } from './sweep.ts'

/** Throws for a file with a part of its JSON. */
function isWhole(file: string): boolean {
  if (!existsSync(file)) return false
  const text = readFileSync(file, 'utf8')
  return file.endsWith('.json') ? typeof JSON.parse(text) === 'object' : text.endsWith('\n')
}

export const otherCommands: readonly SweptCommand[] = [
  {
    program: 'zino',
    name: 'init',
    args: [
      'init',
      'zino',
      '--sockets',
      'r',
      '--model',
      'fake',
      '--base-url',
      'http://127.0.0.1:9/v1',
    ],
    prepare: async () => {},
    checkKept: async () => {},
    isDone: async ({ project }) =>
      ['ZINO.toml', 'SYSTEM.md', 'tools/bash.json', 'skills/python.json'].every((name) =>
        isWhole(path.join(project, 'zino', name)),
      ),
  },
  {
    program: 'zino',
    name: 'trust',
    args: ['trust'],
    prepare: async ({ project }) => {
      writeFileSync(path.join(project, 'ZINO.toml'), '[service]\nmodel = "fake"\n')
    },
    checkKept: async () => {},
  },
  {
    program: 'zee',
    name: 'setup',
    args: ['setup', 'claude', '--yes'],
    prepare: async ({ project }) => {
      writeFileSync(path.join(project, '.mcp.json'), '{"mcpServers":{"mine":{"command":"x"}}}\n')
    },
    checkKept: async ({ project }) => {
      const text = readFileSync(path.join(project, '.mcp.json'), 'utf8')
      if (!('mine' in (JSON.parse(text) as { mcpServers: object }).mcpServers)) {
        throw new Error('the entry of the user is gone')
      }
    },
    isDone: async ({ project }) =>
      readFileSync(path.join(project, '.mcp.json'), 'utf8').includes('zeno'),
  },
]
