// The schema of the four tables of `zcl query`. Columns have the names of the artifact fields they come
// from. A change here invalidates every cache.

export type ColumnType = 'VARCHAR' | 'BOOLEAN' | 'INTEGER' | 'BIGINT' | 'TIMESTAMP' | ListType
export type ListType = 'INTEGER[]' | 'VARCHAR[]'

/** Times are epoch milliseconds; lists are JSON text. */
export type Cell = string | number | boolean | null

export type TableName = 'runs' | 'attempts' | 'calls' | 'findings'

export interface Table {
  name: TableName
  columns: readonly (readonly [name: string, type: ColumnType])[]
}

const ids = [
  ['runId', 'VARCHAR'],
  ['suiteId', 'VARCHAR'],
  ['missionId', 'VARCHAR'],
  ['attemptId', 'VARCHAR'],
] as const

const runsTable: Table = {
  name: 'runs',
  columns: [
    ['runId', 'VARCHAR'],
    ['suiteId', 'VARCHAR'],
    ['createdAt', 'TIMESTAMP'],
    ['pinned', 'BOOLEAN'],
    ['comparabilityKey', 'VARCHAR'],
    ['attempts', 'INTEGER'],
    ['passed', 'INTEGER'],
    ['failed', 'INTEGER'],
    ['infra', 'INTEGER'],
    ['missing', 'INTEGER'],
  ],
}

const attemptsTable: Table = {
  name: 'attempts',
  columns: [
    ...ids,
    ['contentHash', 'VARCHAR'],
    ['outcome', 'VARCHAR'],
    ['infraCode', 'VARCHAR'],
    ['ok', 'BOOLEAN'],
    ['classification', 'VARCHAR'],
    ['decisionTags', 'VARCHAR[]'],
    ['mode', 'VARCHAR'],
    ['agentId', 'VARCHAR'],
    ['model', 'VARCHAR'],
    ['startedAt', 'TIMESTAMP'],
    ['endedAt', 'TIMESTAMP'],
    ['toolCallsTotal', 'BIGINT'],
    ['failuresTotal', 'BIGINT'],
    ['timeoutsTotal', 'BIGINT'],
    ['retriesTotal', 'BIGINT'],
    ['wallTimeMs', 'BIGINT'],
    ['durationMsTotal', 'BIGINT'],
    ['outBytesTotal', 'BIGINT'],
    ['errBytesTotal', 'BIGINT'],
    ['inputTokens', 'BIGINT'],
    ['outputTokens', 'BIGINT'],
    ['totalTokens', 'BIGINT'],
    ['tokenSource', 'VARCHAR'],
    ['expectationsOk', 'BOOLEAN'],
  ],
}

const callsTable: Table = {
  name: 'calls',
  columns: [
    ...ids,
    ['line', 'INTEGER'],
    ['ts', 'TIMESTAMP'],
    ['tool', 'VARCHAR'],
    ['op', 'VARCHAR'],
    ['command', 'VARCHAR'],
    ['input', 'VARCHAR'],
    ['ok', 'BOOLEAN'],
    ['code', 'VARCHAR'],
    ['exitCode', 'INTEGER'],
    ['durationMs', 'BIGINT'],
    ['outBytes', 'BIGINT'],
    ['errBytes', 'BIGINT'],
    ['truncated', 'BOOLEAN'],
  ],
}

const findingsTable: Table = {
  name: 'findings',
  columns: [
    ...ids,
    ['kind', 'VARCHAR'],
    ['basis', 'VARCHAR'],
    ['classification', 'VARCHAR'],
    ['message', 'VARCHAR'],
    ['lines', 'INTEGER[]'],
    ['linesTotal', 'INTEGER'],
  ],
}

export const tables: readonly Table[] = [runsTable, attemptsTable, callsTable, findingsTable]
