// The command tree of zeno: the one source for parsing, help, completions and the reference.
import type { OptionTable } from '@zee/core/command-line'
import { commandFor, program, wholeNumber } from '@zee/core/command-line'
import manifest from '../package.json' with { type: 'json' }
import { parseBudget } from './budget.ts'
import { indexed, json, root, sharing } from './command-options.ts'
import { index } from './index-commands.ts'
import { view } from './view/command.ts'

const log = {
  flags: '--log <file>',
  summary: 'append a trace of requests and answers',
  complete: 'file',
} as const

const service = {
  root,
  log,
  hash: { flags: '--hash', summary: 'add sha256 to every slice that read_file and peek return' },
  budget: {
    flags: '--budget <limits>',
    summary: 'the most that may be spent in all: ops=30,lines=2000,hits=200',
    parse: parseBudget,
  },
} as const satisfies OptionTable

const command = commandFor({})

const serve = command({
  name: 'serve',
  summary: 'Answer requests on standard input, one JSON object per line',
  description:
    'Reads one request per line from standard input and writes one answer per line to standard ' +
    'output, in the same order, until the input ends. Reads below the root only and never writes ' +
    'there.',
  options: {
    ...service,
    ...indexed,
    socket: {
      flags: '--socket <path>',
      summary: 'answer many clients on a Unix socket instead; auto for the usual place',
      complete: 'file',
    },
  },
  examples: [
    {
      line: `echo '{"id":"1","op":"list_files","args":{"glob":"**/*.ts"}}' | zeno serve --root .`,
      note: 'one request, one answer',
    },
    {
      line: 'zeno serve --root . --log trace.jsonl --budget ops=30,lines=2000,hits=200',
      note: 'with a trace and a limit to what may be read',
    },
    { line: 'zeno serve --root /var/log/syslog', note: 'one large file as the corpus' },
  ],
  run: async ({ options, host }) => {
    const settings = { ...options, index: !options.noIndex }
    const { socket } = options
    if (socket === undefined) return (await import('./serve.ts')).runServe(settings, host)
    return (await import('./serve-socket.ts')).runServeSocket({ ...settings, socket }, host)
  },
})

const send = command({
  name: 'send',
  summary: 'Send one request and print the answer',
  description:
    'Sends one request to the server that listens for this root, or to a private one where there is ' +
    'none. Exits with 1 when the answer is an error.',
  options: {
    ...service,
    ...sharing,
    op: { flags: '--op <name>', summary: 'the operation' },
    args: { flags: '--args <json>', summary: 'its arguments, an object' },
    request: { flags: '--request <json>', summary: 'a whole request instead' },
    id: { flags: '--id <id>', summary: 'the id of the request; req-<seconds> otherwise' },
    pretty: { flags: '--pretty', summary: 'print the answer over several lines' },
  },
  examples: [
    {
      line: `zeno send --root . --op grep --args '{"pattern":"TODO"}' --pretty`,
      note: 'search the working folder',
    },
    {
      line: `zeno send --root . --request '{"id":"1","op":"stat","args":{"path":"README.md"}}'`,
      note: 'a request as it stands in a trace',
    },
  ],
  run: async ({ options, host }) =>
    (await import('./send.ts')).runSend({ ...options, shared: !options.private }, host),
})

const mcp = command({
  name: 'mcp',
  summary: 'Serve the operations as MCP tools on standard input and output',
  options: { ...service, ...indexed, ...sharing },
  examples: [
    { line: 'claude mcp add zeno -- zeno mcp --root .', note: 'for Claude Code, in this project' },
    { line: 'zeno mcp --root . --log trace.jsonl', note: 'with a trace of every call' },
  ],
  run: async ({ options, host }) =>
    (await import('./mcp.ts')).runMcp(
      { ...options, index: !options.noIndex, shared: !options.private },
      host,
    ),
})

const tail = command({
  name: 'tail',
  summary: 'Print the end of a trace',
  options: {
    log: { ...log, required: true, summary: 'the trace' },
    lines: {
      flags: '-n, --lines <n>',
      summary: 'how many lines; 0 for all',
      default: '20',
      parse: wholeNumber(),
    },
    follow: { flags: '-f, --follow', summary: 'go on with what is appended' },
  },
  examples: [{ line: 'zeno tail --log trace.jsonl --follow', note: 'watch an agent read' }],
  run: async ({ options, host }) => (await import('./tail.ts')).runTail(options, host),
})

const replay = command({
  name: 'replay',
  summary: 'Send the requests of a trace again and tell what differs',
  description:
    'Sends every request of a trace again and compares the answers with what was recorded. Prints ' +
    'one line per difference and exits with 1 when there is one.',
  options: { root, log: { ...log, required: true, summary: 'the trace' }, json },
  examples: [{ line: 'zeno replay --root . --log trace.jsonl', note: 'is it all still so?' }],
  run: async ({ options, host }) => (await import('./replay.ts')).runReplay(options, host),
})

const verify = command({
  name: 'verify',
  summary: 'Check evidence against the files it cites',
  description:
    'Reads again what each row of an evidence ledger cites: ok, moved (the same text at other ' +
    'lines), changed, missing or invalid. Exits with 1 unless all are ok.',
  options: {
    root,
    evidence: {
      flags: '--evidence <file>',
      summary: 'the ledger, one JSON object per line',
      required: true,
      complete: 'file',
    },
    json,
  },
  examples: [
    {
      line: 'zeno verify --root . --evidence .codex/zeno/evidence/thread.jsonl',
      note: 'does the evidence still hold?',
    },
  ],
  run: async ({ options, host }) => (await import('./verify.ts')).runVerify(options, host),
})

const lint = command({
  name: 'lint',
  summary: 'Check ledgers and state for gaps and contradictions',
  options: {
    evidence: { flags: '--evidence <file>', summary: 'the evidence ledger', complete: 'file' },
    claims: { flags: '--claims <file>', summary: 'the claim ledger', complete: 'file' },
    state: { flags: '--state <file>', summary: 'the state of the thread', complete: 'file' },
  },
  examples: [
    {
      line: 'zeno lint --evidence evidence.jsonl --claims claims.jsonl --state state.json',
      note: 'one finding a line, exit 1 if there are any',
    },
  ],
  run: async ({ options, host }) => (await import('./lint.ts')).runLint(options, host),
})

const persist = command({
  name: 'persist',
  summary: "Keep the state, evidence and claims at the end of an agent's turn",
  description:
    'Called by an agent program: by Codex as its notify program with one JSON argument, by Claude ' +
    'Code as a hook with JSON on standard input (SessionStart, UserPromptSubmit, Stop, PreCompact, ' +
    'PostToolUse). Writes below .codex/zeno or .claude/zeno of the repository, or below ZENO_ROOT.',
  options: {
    form: {
      flags: '--form <form>',
      summary: 'who calls; otherwise codex with an argument and claude without one',
      choices: ['codex', 'claude'],
    },
  },
  arguments: [{ name: 'notification', summary: 'the JSON that Codex sends' }],
  examples: [
    { line: 'notify = ["zeno", "persist"]', note: 'in ~/.codex/config.toml' },
    { line: 'zeno persist < hook.json', note: 'what Claude Code does for a hook' },
  ],
  run: async ({ options, args, host }) =>
    (await import('./persist-command.ts')).runPersist(args[0], options.form, host),
})

const bridge = command({
  name: 'bridge',
  summary: 'Print what a thread knew, to carry on with',
  options: {
    zenoRoot: {
      flags: '--zeno-root <dir>',
      summary: 'where persist wrote; otherwise .codex/zeno, then .claude/zeno of the repository',
      complete: 'folder',
    },
    threadId: { flags: '--thread-id <id>', summary: 'the thread; otherwise the newest' },
    maxEvidence: {
      flags: '--max-evidence <n>',
      summary: 'rows of evidence',
      default: '5',
      parse: wholeNumber(),
    },
    maxClaims: {
      flags: '--max-claims <n>',
      summary: 'rows of claims',
      default: '5',
      parse: wholeNumber(),
    },
    json: { flags: '--json', summary: 'print one JSON document' },
  },
  examples: [{ line: 'zeno bridge --thread-id 0199a213', note: 'where that thread stood' }],
  run: async ({ options, host }) => (await import('./bridge.ts')).runBridge(options, host),
})

const rotate = command({
  name: 'rotate',
  summary: 'Move files that have grown too large out of the way',
  options: {
    path: {
      flags: '--path <file>',
      summary: 'the file',
      repeatable: true,
      required: true,
      complete: 'file',
    },
    maxBytes: {
      flags: '--max-bytes <n>',
      summary: 'larger ones are moved',
      default: '20971520',
      parse: wholeNumber(),
    },
    keep: {
      flags: '--keep <n>',
      summary: 'how many moved ones stay',
      default: '5',
      parse: wholeNumber(),
    },
  },
  examples: [{ line: 'zeno rotate --path trace.jsonl', note: 'when it is above 20 MiB' }],
  run: async ({ options, host }) => (await import('./rotate.ts')).runRotate(options, host),
})

const mode = { flags: '--mode <mode>', summary: 'one of the modes that list prints' } as const

const plan = command({
  name: 'plan',
  summary: 'Print the requests that begin a way of reading',
  description:
    'Prints requests, one per line, that begin one of six ways of reading a codebase. They can be ' +
    'piped into zeno serve as they are; what is not known yet stays as <SYMBOL> and the like.',
  commands: [
    command({
      name: 'list',
      summary: 'Print the modes',
      run: async ({ host }) => (await import('./plan/plan.ts')).listModes(host),
    }),
    command({
      name: 'describe',
      summary: 'Print what a mode is for and what it asks',
      options: { mode: { ...mode, required: true } },
      run: async ({ options, host }) =>
        (await import('./plan/plan.ts')).describeMode(options.mode, host),
    }),
  ],
  options: {
    mode,
    language: { flags: '--language <name>', summary: 'the language of the code in question' },
    symbol: { flags: '--symbol <name>', summary: 'a name defined in the code' },
    keyTerm: { flags: '--key-term <text>', summary: 'what the research is about' },
    changed: { flags: '--changed <file>', summary: 'a changed file', repeatable: true },
    git: { flags: '--git', summary: 'ask git for the changed files' },
    gitRoot: { flags: '--git-root <dir>', summary: 'the repository', complete: 'folder' },
    base: { flags: '--base <revision>', summary: 'changes since it was left; needs --git' },
    head: { flags: '--head <revision>', summary: 'changes up to it; HEAD otherwise' },
    pack: { flags: '--pack <file>', summary: 'own patterns for the audit', complete: 'file' },
    maxPatterns: {
      flags: '--max-patterns <n>',
      summary: 'the most patterns of the audit',
      parse: wholeNumber(1),
    },
    format: {
      flags: '--format <format>',
      summary: 'how the plan is printed',
      choices: ['jsonl', 'json', 'text'],
      default: 'jsonl',
    },
  },
  examples: [
    {
      line: 'zeno plan --mode codebase-archaeology --symbol parseDate --language ts | zeno serve --root .',
      note: 'plan and carry out',
    },
    { line: 'zeno plan --mode pr-review --git --base main', note: 'what to read of a branch' },
  ],
  run: async ({ options, host }) => (await import('./plan/plan.ts')).runPlan(options, host),
})

export const tree = program({
  name: 'zeno',
  version: manifest.version,
  summary: 'A retrieval server for huge codebases.',
  description:
    'A retrieval server for huge codebases: deterministic, read-only, always fresh, every slice ' +
    'citable. Speaks JSON lines or MCP; the other commands check what was read.',
  commands: [
    serve,
    send,
    mcp,
    index,
    tail,
    view,
    replay,
    verify,
    lint,
    persist,
    bridge,
    rotate,
    plan,
  ],
  examples: [
    { line: 'zeno serve --root . --log trace.jsonl', note: 'answer requests, keep a trace' },
    { line: `zeno send --root . --op summary --pretty`, note: 'how large is this?' },
    { line: 'zeno replay --root . --log trace.jsonl', note: 'is it all still so?' },
  ],
})
