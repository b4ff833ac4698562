// What an answer can claim, in a form that can be checked.
import type { RunKind } from './commands/commands.ts'

export type Claim =
  | {
      kind: 'passes'
      /** `any`: everything that was checked. */
      what: RunKind | 'any'
      /** `12 of 12 tests`; without a total the passed tests. */
      count?: { passed: number; total?: number }
      /** The answer says that other tests fail: only the count is claimed. */
      isPartial: boolean
      /** The complete suite, not a part of it. */
      isWhole: boolean
      /** The answer denies warnings too. */
      isWarningFree: boolean
      /** Test files or test names that the clause names. */
      named: readonly string[]
    }
  | { kind: 'ran'; what: RunKind | undefined; command: string | undefined; hasSucceeded: boolean }
  /** `mayBeGone`: `removed the exporter (a.ts)` is true of a part of the file and of the whole. */
  | { kind: 'created' | 'edited' | 'deleted' | 'written'; path: string; mayBeGone?: true }
  | { kind: 'moved'; from: string; to: string }
  /** `allows`: what one file with matches may hold. */
  | {
      kind: 'no_other_uses'
      name: string | undefined
      allows: 'nothing' | 'a definition' | 'a use'
    }
  /** `2 tests fail`, `tsc reports 3 errors`; a number in words is not exact. */
  | { kind: 'fails'; what: 'test' | 'types' | 'lint'; count: number; isExact: boolean }
