// Syntax tree of a pattern. The parser has already applied all flags to the nodes.

/** Scope of case-insensitive comparison: none, ASCII letters only, or all of Unicode. */
export type Fold = 'none' | 'ascii' | 'unicode'

export type RegexNode =
  | { kind: 'char'; code: number; fold: Fold }
  | { kind: 'set'; items: SetItem[]; negated: boolean; fold: Fold }
  /** `.`; with `all` it also matches a line feed. */
  | { kind: 'dot'; all: boolean }
  | { kind: 'start'; multiline: boolean }
  /** `$` or `\Z`. Only `$` also matches before a final line feed; `\Z` is `strict`. */
  | { kind: 'end'; multiline: boolean; strict: boolean }
  | { kind: 'boundary'; negated: boolean; ascii: boolean }
  | { kind: 'sequence'; items: RegexNode[] }
  | { kind: 'either'; branches: RegexNode[] }
  | { kind: 'capture'; group: number; body: RegexNode }
  | { kind: 'atomic'; body: RegexNode }
  | { kind: 'repeat'; body: RegexNode; min: number; max: number; mode: RepeatMode }
  | { kind: 'look'; backward: boolean; negated: boolean; body: RegexNode }
  | { kind: 'backref'; group: number; fold: Fold }
  | { kind: 'conditional'; group: number; yes: RegexNode; no: RegexNode }

export type RepeatMode = 'greedy' | 'lazy' | 'possessive'

export type SetItem =
  | { kind: 'range'; low: number; high: number }
  | { kind: 'class'; name: 'd' | 's' | 'w'; negated: boolean; ascii: boolean }

export interface Regex {
  body: RegexNode
  /** Number of capturing groups, group 0 excluded. */
  groups: number
}

/** The direct children of a node, for walks that ignore its kind. */
export function childrenOf(node: RegexNode): RegexNode[] {
  switch (node.kind) {
    case 'sequence':
      return node.items
    case 'either':
      return node.branches
    case 'capture':
    case 'atomic':
    case 'repeat':
    case 'look':
      return [node.body]
    case 'conditional':
      return [node.yes, node.no]
    default:
      return []
  }
}
