// The programs and the entry files of their bundles. The entries of a program share their chunks,
// so each module exists once per program.
import path from 'node:path'

export const repository = path.resolve(import.meta.dirname, '..')

/** @type {Record<string, Record<string, string>>} */
const entries = {
  zdx: { 'regex-worker': path.join(repository, 'packages/corpus/src/workers/regex-worker.ts') },
  zeno: {
    'regex-worker': path.join(repository, 'packages/corpus/src/workers/regex-worker.ts'),
    'index-worker': path.join(repository, 'packages/corpus/src/workers/index-worker.ts'),
    'query-worker': path.join(repository, 'packages/corpus/src/workers/query-worker.ts'),
    'prefilter-worker': path.join(repository, 'packages/corpus/src/workers/prefilter-worker.ts'),
  },
  zino: {},
  zcl: {
    'validate-worker': path.join(repository, 'packages/zcl/src/view/validate-worker.ts'),
  },
  zee: { 'pass-on': path.join(repository, 'packages/zee/src/pass-on.ts') },
}

/**
 * Groups the modules that a hot command loads before its first byte of work into one file: each
 * additional file costs 0.25 ms per start.
 * @type {Record<string, import('./bundle.mjs').ChunkGroup[]>}
 */
const groups = {
  zcl: [
    {
      name: 'funnel',
      test: new RegExp(
        [
          'packages/evidence/src/(errors|layout)/[^/]+[.]ts$',
          'packages/evidence/src/(attempt/(attempt|deadline|file|repeat-guard)|schema/limits|trace/trace)[.]ts$',
          'packages/core/src/(chain|identity|ids|journal|json|lock|process|redact)/[^/]+[.]ts$',
          'packages/core/src/files/(append-file|fsync|temp-file)[.]ts$',
          'packages/core/src/text/(canonical-json|line-splitter|text)[.]ts$',
          'packages/zcl/src/((clock|errors|redaction)/[^/]+|run/(command|options))[.]ts$',
        ].join('|'),
      ),
    },
  ],
  zeno: [
    // Every command parses these options; most do not need the chunk below.
    {
      name: 'settings',
      test: /packages\/zeno\/src\/(budget\/budget|index\/index)[.]ts$/,
      priority: 1,
    },
    {
      name: 'answer',
      test: new RegExp(
        [
          'packages/zeno/src/(engine|json|protocol|service)/[^/]+[.]ts$',
          'packages/zeno/src/serve/(answer-lines|command|stdio)[.]ts$',
          'packages/core/src/(contained-path/[^/]+|cli/lossless|json/json)[.]ts$',
          'packages/corpus/src/(?!index/|regex/|symbols/|git/|revision/|history/|diff/|rank/|stored-tree/|operations/(?:(?:chunks|symbols|history|locate)/|peek|read-many|stat|summary)|workers/(?!workers)|kernel(?:-search)?/)',
          'packages/corpus/src/index/(lazy-index|file-systems|snapshot/(checksum|facts|version))[.]ts$',
        ].join('|'),
      ),
    },
  ],
  zdx: [
    {
      name: 'cli',
      test: /packages\/core\/src\/cli\/(cli|page-options|parse|tree)[.]ts$/,
    },
    // What an answer without tool calls, history or failures does not use.
    {
      name: 'later',
      isLate: true,
      priority: 1,
      test: new RegExp(
        [
          'packages/core/src/(contained-path|diff|identity|lock|spelling)/[^/]+[.]ts$',
          'packages/core/src/cli/(help|walk)[.]ts$',
          'packages/core/src/(files/regular-file|journal/(reader|tail)|text/(text|line-splitter))[.]ts$',
          'packages/agent/src/(envelope/[^/]+|files/(files|nonblocking|strict-utf8))[.]ts$',
          'packages/agent/src/session/(list|meta|rebuild-messages|records)[.]ts$',
          'packages/agent/src/(context/guidance-file|skills/front-matter|tools/(image|line-window|save-text|tool)|turn/(calls|guard))[.]ts$',
          'packages/llm/src/(models/list-models|request/tool-input|script/script|transport/(connection-error|post-json))[.]ts$',
          'packages/zdx/src/(guard/permit|project/project|render/(call-text|file-change|spinner))[.]ts$',
        ].join('|'),
      ),
    },
    {
      name: 'turn',
      test: new RegExp(
        [
          'packages/agent/src/(index|(context|elision|envelope|files|session|tokens|turn)/[^/]+|tools/(?!nearest)[^/]+)[.]ts$',
          'packages/llm/src/(index|(errors|json|models|providers|request|retry|transport)/[^/]+)[.]ts$',
          'packages/llm/src/facts/[^/]+[.]',
          'packages/llm/src/wires/(anthropic/)?[^/]+[.]ts$',
          'packages/llm/src/script/script[.]ts$',
          'packages/zdx/src/(conversation|errors|exec|interrupt|providers|text)/[^/]+[.]ts$',
          'packages/zdx/src/evidence/evidence[.]ts$',
          'packages/zdx/src/models/(models|prices)[.]',
          'packages/zdx/src/render/(?!json-|details)[^/]+[.]ts$',
          'packages/zdx/src/settings/(defaults|folders|settings)[.]ts$',
          'packages/core/src/cli/(colour|lossless)[.]ts$',
          'packages/core/src/files/(append-file|folders|fsync|temp-file)[.]ts$',
          'packages/core/src/ids/(ids|random-bytes)[.]ts$',
          'packages/core/src/journal/(journal|creation|line)[.]ts$',
          'packages/core/src/(json/json|text/text)[.]ts$',
          // Without its web stream, which only the MCP client uses.
          'node_modules/eventsource-parser/dist/index',
        ].join('|'),
      ),
    },
  ],
}

export const programNames = Object.keys(entries)

/** @param {string} name */
export function programFolder(name) {
  return path.join(repository, 'packages', name)
}

/** @param {string} name */
export function programEntries(name) {
  const folder = programFolder(name)
  return {
    main: path.join(folder, 'src/main.ts'),
    commands: path.join(folder, 'src/cli/cli.ts'),
    ...entries[name],
  }
}

/** @param {string} name */
export function programGroups(name) {
  return groups[name] ?? []
}
