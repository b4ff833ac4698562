// The command tree of zcl: the source of parsing, help, completions and the reference.
import { internalGroup, program } from '@zee/core/command-line'
import manifest from '../../package.json' with { type: 'json' }
import { attempt, runs } from './attempts.ts'
import { campaign, codexAppServer, collect, fork, judge, mission, relay } from './lab/lab.ts'
import { suite, worker } from './lab/lab.ts'
import { globals, withConfigOption } from './config-option.ts'
import {
  enrich,
  expect,
  exportCommand,
  feedback,
  importCommand,
  note,
  report,
  show,
  validate,
} from './evidence.ts'
import { http, mcp, replay } from './funnels.ts'
import { hooks } from './hooks.ts'
import { contract, doctor, gc, init, pin, shim, trust } from './project.ts'
import { query } from './query.ts'
import { run } from './run.ts'
import { compare, plan, stats } from './statistics.ts'
import { update } from './update.ts'
import { view } from './view.ts'

export const tree = program({
  name: 'zcl',
  version: manifest.version,
  summary: 'The Zero Context Lab: turns what an agent does into evidence.',
  commands: [
    init,
    attempt,
    runs,
    run,
    feedback,
    note,
    report,
    show,
    validate,
    view,
    contract,
    doctor,
    gc,
    pin,
    shim,
    hooks,
    trust,
    mcp,
    http,
    enrich,
    replay,
    exportCommand,
    importCommand,
    suite,
    worker,
    collect,
    judge,
    fork,
    codexAppServer,
    relay,
    expect,
    campaign,
    mission,
    stats,
    compare,
    plan,
    query,
    update,
  ].map(withConfigOption),
  options: globals,
  groups: {
    Record: ['attempt', 'run', 'feedback', 'note', 'shim', 'hooks', 'mcp', 'http', 'enrich'],
    'Look at evidence': [
      'runs',
      'show',
      'view',
      'report',
      'validate',
      'expect',
      'judge',
      'query',
      'replay',
      'export',
      'import',
    ],
    'Measure agents': [
      ...['suite', 'campaign', 'mission', 'stats', 'compare', 'plan', 'collect', 'fork'],
    ],
    'Set up and maintain': [
      'init',
      'trust',
      'doctor',
      'contract',
      'pin',
      'gc',
      'update',
      'completion',
    ],
    [internalGroup]: ['worker', 'codex-app-server'],
  },
  examples: [
    { line: 'zcl init', note: 'create the config file and the output root' },
    {
      line: 'eval "$(zcl attempt start --suite s --mission m --print-env sh)"',
      note: 'start an attempt in this shell',
    },
    { line: 'zcl run -- curl -s https://example.com', note: 'run and record an action' },
    { line: 'zcl feedback --ok --result done', note: 'record the outcome' },
    { line: 'zcl attempt finish', note: 'report and validate' },
  ],
})
