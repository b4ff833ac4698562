// The words of claims about files: verbs, subjects, and what may stand between a verb and a path.

export type FileKind = 'created' | 'edited' | 'deleted' | 'written' | 'moved'

interface FileVerbs {
  kind: FileKind
  /** Past forms: `I created`. */
  past: readonly string[]
  /** Present forms, after a subject such as `this change`. */
  present: readonly string[]
}

/** The first row whose verb is found decides. `written`: the file may be new or not. */
export const fileVerbs: readonly FileVerbs[] = [
  {
    kind: 'created',
    past: ['created', 'newly created', 'generated', 'introduced', 'set up', 'scaffolded'],
    present: ['creates', 'introduces'],
  },
  {
    kind: 'written',
    past: ['added', 'wrote', 'written', 'put', 'placed', 'saved', 'stored'],
    present: ['adds', 'writes'],
  },
  {
    kind: 'deleted',
    past: [
      'deleted',
      'removed',
      'dropped',
      'got(ten)? rid of',
      'took out',
      'taken out',
      'stripped( out)?',
      'purged',
      'erased',
      'trashed',
    ],
    present: ['deletes', 'removes', 'drops'],
  },
  { kind: 'moved', past: ['moved', 'renamed', 'relocated'], present: ['moves', 'renames'] },
  {
    kind: 'edited',
    past: [
      ...[
        'made',
        'applied',
        'edited',
        'updated',
        'modified',
        'changed',
        'refactored',
        'rewrote',
        'rewritten',
      ],
      ...['adjusted', 'patched', 'fixed', 'extended', 'corrected', 'replaced', 'simplified'],
      ...[
        'cleaned up',
        'touched up',
        'touched',
        'tweaked',
        'amended',
        'reworked',
        'implemented',
        'converted',
      ],
      ...['migrated', 'switched', 'moved', 'documented', 'inlined', 'extracted', 'formatted'],
      ...[
        'reformatted',
        'bumped',
        'split',
        'factored out',
        'pulled out',
        'ported',
        'wired',
        'wrapped',
      ],
      ...['restructured', 'reorgani[sz]ed', 'tidied( up)?', 'hardened', 'improved', 'optimi[sz]ed'],
      ...['configured', 'enabled', 'disabled', 'annotated', 'merged', 'consolidated', 'pinned'],
      ...['upgraded', 'downgraded', 'swapped', 'inserted', 'appended', 'prepended', 'registered'],
      ...['exported', 'translated', 'rearranged', 'hooked( up)?', 'renamed'],
    ],
    present: [
      ...['edits', 'updates', 'modifies', 'changes', 'fixes', 'refactors', 'rewrites', 'adjusts'],
      ...['extends', 'replaces'],
    ],
  },
]

/** Beginnings of a clause whose subject is the agent. */
export const ownSubjects: readonly string[] = [
  "(?:I|we)(?:'ve| have| also| then| just| now| first| finally)*",
  ...["I've", "we've", 'also', 'then', 'finally', 'now', 'next', 'first', 'and', 'so I'],
  ...['done:?', 'summary:', 'what (?:I|changed):?', '✅', '✓', '✔', '\\*\\*', '_'],
]

export const adverbs: readonly string[] = [
  ...['also', 'then', 'just', 'now', 'finally', 'successfully', 'carefully', 'manually', 'safely'],
  ...['simply', 'completely', 'quickly', 'further', 'first'],
]

/** Subjects that stand for the work of the agent. */
export const changes: readonly string[] = [
  '(?:this|the|that|my|our) (?:change|commit|patch|fix|edit|refactor|update|PR|diff)',
  'it',
]

/** Words that may stand between a verb and the path that is its object. */
export const objectWords: readonly string[] = [
  ...['the', 'a', 'an', 'in', 'both', 'two', 'three', 'four', 'five', '\\d+', 'following'],
  // Adjectives.
  ...['new', 'old', 'now', 'no', 'longer', 'needed', 'redundant', 'corresponding', 'missing'],
  ...['empty', 'outdated', 'deprecated', 'orphaned', 'small', 'separate', 'dedicated', 'required'],
  ...['whole', 'entire', 'unused', 'obsolete', 'stale', 'dead', 'existing', 'temporary'],
  ...['duplicate', 'legacy', '\\w+-\\w+'],
  // Kinds of files.
  ...['file', 'files', 'module', 'script', 'helper', 'component', 'test', 'tests'],
  ...['folder', 'directory', 'config', 'configuration', 'utility', 'class', 'source', 'sources'],
  ...['documentation', 'docs', 'page', 'called', 'named'],
]

/** Words between two paths of one list: `a.ts and its test b.ts`. */
export const listWords: readonly string[] = [
  ...['the', 'also', 'its', 'their', 'a', 'an', 'new', 'matching', 'corresponding', 'unit'],
  ...['file', 'module', 'tests?', 'spec', 'helper'],
]

/** Prepositions that name the changed file: `a comment to a.ts`. */
export const targetWords: readonly string[] = [
  ...['in', 'to', 'into', 'inside', 'within', 'and', 'at', 'across', 'under', 'throughout', 'as'],
]

/** Past participles that report no change of the file: `a.ts: used by the parser`, `I reviewed a.ts`. */
export const describing: readonly string[] = [
  ...['un\\w+', 'used', 'called', 'imported', 'based', 'needed', 'related', 'required', 'involved'],
  ...['deprecated', 'expected', 'affected', 'supposed', 'intended', 'shared', 'located', 'defined'],
  ...['referenced', 'mentioned', 'covered', 'tested', 'reviewed', 'checked', 'verified', 'read'],
  ...[
    'inspected',
    'looked',
    'ignored',
    'skipped',
    'failed',
    'limited',
    'nested',
    'loaded',
    'owned',
  ],
  ...['is', 'considered', 'passed', 'allowed', 'executed', 'committed', 'examined', 'exposed'],
  ...['contained', 'provided', 'supported', 'generated by', 'named', 'typed', 'sorted', 'closed'],
  ...[
    'analy[sz]ed',
    'opened',
    'searched',
    'scanned',
    'explored',
    'studied',
    'noticed',
    'confirmed',
  ],
  ...[
    'listed',
    'printed',
    'traced',
    'compared',
    'wanted',
    'tried',
    'kept',
    'preserved',
    'identified',
  ],
  ...['found', 'grepped', 'browsed', 'parsed', 'asked', 'viewed', 'validated', 'fetched', 'missed'],
  ...['planned', 'proposed', 'suggested', 'recommended', 'spotted', 'discussed', 'explained'],
  ...['debugged', 'profiled', 'measured', 'walked', 'started', 'stopped', 'pushed', 'staged'],
  ...[
    'linted',
    'type-?checked',
    'compiled',
    'benchmarked',
    'removed',
    'deleted',
    'renamed',
    'moved',
  ],
  ...['attempted', 'hoped', 'intended', 'decided', 'managed', 'happened', 'stayed', 'remained'],
  ...['created', 'added', 'copied', 'downloaded', 'attached', 'cloned', 'consulted', 'followed'],
  ...['needed', 'embed', 'feed', 'seed', 'speed', 'shed', 'led', 'red', 'indeed'],
]
