// The public interface of the package.
export { ask, type Answer, type AskOptions, type AskStatus } from './ask/ask.ts'
export { parseAskBudget, type AskBudget } from './budget/budget.ts'
export { locationOf, type Evidence } from './evidence/evidence.ts'
export { openMemo, type Memo } from './memo/memo.ts'
export type { ModelChoice, RecordedCalls } from './model/model.ts'
export { recordedCalls } from './model/model.ts'
export type { Corpus, Recorder } from './tools/tools.ts'
