// The command tree of zeno: single source for parsing, help, completions and the reference.
import { program } from '@zee/core/command-line'
import manifest from '../../package.json' with { type: 'json' }
import { ask } from './ask.ts'
import { lint, verify } from './evidence.ts'
import { fleet } from './fleet.ts'
import { index } from './index.ts'
import { locate } from './locate.ts'
import { bridge, persist, rotate } from './persist.ts'
import { plan } from './plan.ts'
import { grep, list, read, symbols } from './reading.ts'
import { mcp, send, serve } from './service.ts'
import { skill } from './skill.ts'
import { replay, tail, view } from './trace.ts'

export const tree = program({
  name: 'zeno',
  version: manifest.version,
  summary: 'A retrieval server for huge codebases.',
  description:
    'A retrieval server for huge codebases: deterministic, read-only, always fresh, every slice ' +
    'citable. Speaks JSON lines or MCP; the other commands check and replay its traces.',
  commands: [
    serve,
    send,
    mcp,
    ask,
    locate,
    grep,
    read,
    list,
    symbols,
    index,
    fleet,
    tail,
    view,
    replay,
    verify,
    lint,
    persist,
    bridge,
    rotate,
    plan,
    skill,
  ],
  groups: {
    Read: ['ask', 'grep', 'read', 'list', 'symbols', 'locate', 'plan'],
    'Serve agents': ['serve', 'send', 'mcp', 'fleet'],
    'Traces and evidence': ['view', 'tail', 'replay', 'verify', 'lint'],
    'State of a thread': ['persist', 'bridge', 'rotate'],
    'Set up': ['skill', 'index', 'completion'],
  },
  examples: [
    { line: 'zeno serve --root . --log trace.jsonl', note: 'answer requests and write a trace' },
    { line: `zeno send --root . --op summary --pretty`, note: 'print the size of the corpus' },
    { line: 'zeno ask "where are prices rounded?"', note: 'an answer with checked citations' },
    {
      line: 'zeno replay --root . --log trace.jsonl',
      note: 'check that the answers are unchanged',
    },
  ],
})
