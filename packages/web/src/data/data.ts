// The data that a page embeds. A program writes it; the viewer only reads it. The program has redacted
// all text and bounded all lists.
import type { ComparisonPage, RunPage } from './run.ts'
import type { MemoryPage } from './memory.ts'
import type { SessionPage } from './session.ts'
import type { TrajectoryPage } from './trajectory.ts'

export type * from './dashboard.ts'
export type * from './head.ts'
export type * from './memory.ts'
export type * from './run.ts'
export type * from './session.ts'
export type * from './trajectory.ts'

/** The embedded data of one page. */
export type PageData = RunPage | ComparisonPage | TrajectoryPage | SessionPage | MemoryPage
